# What the scripts beside this file share: finding a JDK, building once, printing nothing on standard output. Bash 3.2 or newer.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly root
readonly least_jdk=25

# Prints one line on standard error and ends the script as "wrong usage" does.
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 2
}

# Succeeds where the folder $1 holds a JDK that is new enough; reads its release file rather than starting it.
is_new_jdk() {
    [[ -x $1/bin/javac && -r $1/release ]] || return 1
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^JAVA_VERSION=\"([0-9]+) ]]; then
            ((BASH_REMATCH[1] >= least_jdk))
            return
        fi
    done < "$1/release"
    return 1
}

# Points JAVA_HOME at a JDK that is new enough: its own value, else the usual places.
find_jdk() {
    if [[ -n ${JAVA_HOME:-} ]] && is_new_jdk "$JAVA_HOME"; then
        export JAVA_HOME
        return
    fi
    local home on_path=
    if command -v javac > /dev/null && command -v readlink > /dev/null; then
        on_path=$(dirname "$(dirname "$(readlink -f "$(command -v javac)" 2> /dev/null || command -v javac)")")
    fi
    for home in "$on_path" \
        /usr/lib/jvm/* /usr/java/* /usr/local/openjdk* /opt/*jdk* /opt/java/* /opt/jdks/* \
        "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.asdf/installs/java/* \
        "$HOME"/.local/share/mise/installs/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        if is_new_jdk "$home"; then
            export JAVA_HOME=$home
            return
        fi
    done
    if [[ -x /usr/libexec/java_home ]] && home=$(/usr/libexec/java_home -v "$least_jdk+" 2> /dev/null) \
        && is_new_jdk "$home"; then
        export JAVA_HOME=$home
        return
    fi
    fail "no JDK $least_jdk or newer was found: install one (for example Temurin $least_jdk) and set JAVA_HOME to it"
}

# Runs Maven in the root of the repository.
run_maven() {
    command -v mvn > /dev/null || fail "no Maven was found: install Maven 3.8 or newer, so that mvn is on the PATH"
    (cd "$root" && mvn -B -ntp "$@")
}

# Succeeds where a source is newer than the file $1, or the file is missing. Folders count: their time changes when a file goes.
is_stale() {
    [[ -f $1 ]] || return 0
    local newer
    newer=$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/*/pom.xml "$root"/*/src/main "$root"/*/*/src/main \
        -newer "$1" -print 2> /dev/null | head -n 1)
    [[ -n $newer ]]
}

# Builds module $1 with all that it needs, unless its jars are newer than every source, and sets `classpath`.
# One script builds at a time; the others wait and find the work done.
build() {
    local module=$1 target=$root/$1/target
    local stamp=$target/bin-build.stamp
    if is_stale "$stamp"; then
        mkdir -p "$root/target" "$target"
        if command -v flock > /dev/null; then
            (
                flock 9
                ! is_stale "$stamp" || build_now "$module" "$stamp"
            ) 9> "$root/target/bin.lock" || exit 2
        else
            until mkdir "$root/target/bin.lock.d" 2> /dev/null; do
                sleep 1
            done
            (
                trap 'rmdir "$root/target/bin.lock.d"' EXIT
                ! is_stale "$stamp" || build_now "$module" "$stamp"
            ) || exit 2
        fi
    fi
    classpath=$(< "$target/bin-classpath.txt")
}

build_now() {
    local module=$1 stamp=$2
    local log=$root/target/bin-build.log
    printf '%s: building Chert (the first time takes a minute or two) ...\n' "$(basename "$0")" >&2
    touch "$stamp.new"
    if ! run_maven -pl "$module" -am -Dmaven.test.skip=true package > "$log" 2>&1 9>&-; then
        cat "$log" >&2
        fail "the build failed; its output is above and in $log"
    fi
    local jar
    for jar in "$root/$module/target/"*.jar; do
        case $jar in
            *-sources.jar | *-javadoc.jar) ;;
            *) printf '%s:%s\n' "$jar" "$(< "$root/$module/target/classpath.txt")" > "$root/$module/target/bin-classpath.txt" ;;
        esac
    done
    mv "$stamp.new" "$stamp"
}
