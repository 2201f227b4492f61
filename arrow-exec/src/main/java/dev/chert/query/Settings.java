package dev.chert.query;

import dev.chert.error.ValidationException;
import dev.chert.query.Setting.Scope;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The settings that there are, and an immutable assignment of values to some of them.
public final class Settings {
    /// Where NULLs are sorted when a query does not say.
    public enum NullOrdering {
        HIGH,
        LOW,
        FIRST,
        LAST
    }

    /// What an operation without a result gives.
    public enum OnError {
        ERROR,
        NULL
    }

    /// Whether a part that exists twice runs natively.
    public enum Native {
        /// Where native access was granted.
        AUTO,
        ON,
        OFF
    }

    public static final Setting<Optional<Long>> MEMORY_LIMIT = new Setting<>(
            "memory.limit",
            Scope.ENGINE,
            "60 % of the memory less -Xmx",
            "a size such as 512MB, 4GiB or 1000000",
            text -> Optional.of(parseBytes(text)));
    public static final Setting<Integer> EXECUTION_THREADS = new Setting<>(
            "execution.threads",
            Scope.ENGINE,
            Integer.toString(Runtime.getRuntime().availableProcessors()),
            "a whole number from 1 to 1024",
            text -> parseInt(text, 1, 1024));
    public static final Setting<Optional<Path>> SPILL_DIRECTORY = new Setting<>(
            "spill.directory",
            Scope.ENGINE,
            "a private folder under java.io.tmpdir",
            "the path of a directory",
            text -> Optional.of(parseDirectory(text)));
    public static final Setting<Optional<Long>> SPILL_LIMIT = new Setting<>(
            "spill.limit",
            Scope.ENGINE,
            "none",
            "none, or a size such as 512MB, 4GiB or 1000000",
            text -> text.equals("none") ? Optional.empty() : Optional.of(parseBytes(text)));
    public static final Setting<Native> CODEC_NATIVE = new Setting<>(
            "codec.native", Scope.ENGINE, "auto", "auto, on or off", text -> parseEnum(Native.class, text));
    public static final Setting<Integer> BATCH_SIZE = new Setting<>(
            "execution.batch-size",
            Scope.SESSION,
            "4096",
            "a whole number from 1 to 4096",
            text -> parseInt(text, 1, 4096));
    public static final Setting<Boolean> DICTIONARIES =
            new Setting<>("execution.dictionaries", Scope.SESSION, "on", "on or off", Settings::parseSwitch);
    public static final Setting<Optional<Duration>> QUERY_TIMEOUT = new Setting<>(
            "query.timeout",
            Scope.SESSION,
            "none",
            "none, or a duration such as 500ms, 30s or 5min, at most 292 years",
            text -> text.equals("none") ? Optional.empty() : Optional.of(parseDuration(text)));
    public static final Setting<Set<String>> DISABLED_RULES = new Setting<>(
            "planner.disabled-rules",
            Scope.SESSION,
            "none",
            "none, all, or rule names separated by commas",
            text -> text.equals("none") ? Set.of() : new TreeSet<>(Arrays.asList(text.split("\\s*,\\s*"))));
    public static final Setting<NullOrdering> NULL_ORDERING = new Setting<>(
            "sql.null-ordering",
            Scope.SESSION,
            "high",
            "high, low, first or last",
            text -> parseEnum(NullOrdering.class, text));
    public static final Setting<OnError> DIVISION_BY_ZERO = new Setting<>(
            "sql.division-by-zero", Scope.SESSION, "error", "error or null", text -> parseEnum(OnError.class, text));
    public static final Setting<OnError> OVERFLOW = new Setting<>(
            "sql.overflow", Scope.SESSION, "error", "error or null", text -> parseEnum(OnError.class, text));
    public static final Setting<ZoneId> TIME_ZONE = new Setting<>(
            "sql.time-zone",
            Scope.SESSION,
            ZoneId.systemDefault().getId(),
            "a zone such as Europe/Berlin, UTC or +02:00",
            text -> {
                try {
                    return ZoneId.of(text);
                } catch (DateTimeException e) {
                    throw new IllegalArgumentException(text, e);
                }
            });
    public static final Setting<List<String>> ALLOWED_PATHS = new Setting<>(
            "files.allowed-paths",
            Scope.SESSION,
            "all",
            "all, or files and directories separated by commas",
            text -> text.equals("all") ? List.of() : List.of(text.split("\\s*,\\s*")));
    public static final Setting<Boolean> CHECK_MEMORY =
            new Setting<>("test.check-memory", Scope.ENGINE, "off", "on or off", Settings::parseSwitch);
    public static final Setting<Boolean> CONSTANT_HASH =
            new Setting<>("test.constant-hash", Scope.ENGINE, "off", "on or off", Settings::parseSwitch);
    public static final Setting<Boolean> SPILL_ALWAYS =
            new Setting<>("test.spill", Scope.ENGINE, "off", "on or off", Settings::parseSwitch);

    private static final long MOST_MILLIS = Long.MAX_VALUE / 1_000_000;

    private static final Map<String, Setting<?>> ALL = new LinkedHashMap<>();

    static {
        for (Setting<?> setting : List.of(
                MEMORY_LIMIT,
                EXECUTION_THREADS,
                SPILL_DIRECTORY,
                SPILL_LIMIT,
                CODEC_NATIVE,
                BATCH_SIZE,
                DICTIONARIES,
                QUERY_TIMEOUT,
                DISABLED_RULES,
                NULL_ORDERING,
                DIVISION_BY_ZERO,
                OVERFLOW,
                TIME_ZONE,
                ALLOWED_PATHS,
                CHECK_MEMORY,
                CONSTANT_HASH,
                SPILL_ALWAYS)) {
            ALL.put(setting.key(), setting);
        }
    }

    private static final Settings DEFAULTS = new Settings(Map.of());

    private final Map<String, Object> values;

    private Settings(Map<String, Object> values) {
        this.values = values;
    }

    /// No setting given: each has its default.
    public static Settings defaults() {
        return DEFAULTS;
    }

    /// All settings, in the order of the reference.
    public static List<Setting<?>> all() {
        return List.copyOf(ALL.values());
    }

    /// Finds a setting by its key.
    ///
    /// @throws ValidationException where there is none, with the nearest right one
    public static Setting<?> find(String key) {
        Setting<?> setting = ALL.get(key);
        if (setting == null) {
            throw new ValidationException(
                    "unknown setting '" + key + "'; did you mean '" + NearestName.of(key, ALL.keySet()) + "'?");
        }
        return setting;
    }

    /// Returns these settings with one more, read from text.
    ///
    /// @throws ValidationException where the key is unknown or the text is no value of it
    public Settings with(String key, String text) {
        Setting<?> setting = find(key);
        Map<String, Object> changed = new TreeMap<>(values);
        changed.put(key, setting.parse(text));
        return new Settings(changed);
    }

    /// Returns these settings with `key` at its default again.
    public Settings without(String key) {
        Map<String, Object> changed = new TreeMap<>(values);
        changed.remove(find(key).key());
        return new Settings(changed);
    }

    /// The value given, or the default. [#MEMORY_LIMIT] and [#SPILL_DIRECTORY] are empty unless given: the engine works
    /// out their defaults.
    @SuppressWarnings("unchecked")
    public <T> T get(Setting<T> setting) {
        Object value = values.get(setting.key());
        if (value != null) {
            return (T) value;
        }
        boolean ofEngine = setting == MEMORY_LIMIT || setting == SPILL_DIRECTORY;
        return ofEngine ? (T) Optional.empty() : setting.parse(setting.defaultText());
    }

    /// True where the setting was given a value.
    public boolean has(Setting<?> setting) {
        return values.containsKey(setting.key());
    }

    private static int parseInt(String text, int least, int most) {
        int value = Integer.parseInt(text);
        if (value < least || value > most) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }

    private static boolean parseSwitch(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /// A directory, or a place where one can be made.
    private static Path parseDirectory(String text) {
        Path path = Path.of(text);
        if (text.isEmpty() || (Files.exists(path) && !Files.isDirectory(path))) {
            throw new IllegalArgumentException(text);
        }
        return path.toAbsolutePath();
    }

    private static <E extends Enum<E>> E parseEnum(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static long parseBytes(String text) {
        return parseQuantity(text, unit -> switch (unit.toLowerCase(Locale.ROOT)) {
            case "", "b" -> 1L;
            case "kb" -> 1_000L;
            case "mb" -> 1_000_000L;
            case "gb" -> 1_000_000_000L;
            case "tb" -> 1_000_000_000_000L;
            case "kib" -> 1L << 10;
            case "mib" -> 1L << 20;
            case "gib" -> 1L << 30;
            case "tib" -> 1L << 40;
            default -> throw new IllegalArgumentException(text);
        });
    }

    /// A duration whose nanoseconds fit in a long, as timers count it.
    private static Duration parseDuration(String text) {
        long millis = parseQuantity(text, unit -> switch (unit) {
            case "ms" -> 1L;
            case "s" -> 1_000L;
            case "min" -> 60_000L;
            case "h" -> 3_600_000L;
            default -> throw new IllegalArgumentException(text);
        });
        if (millis > MOST_MILLIS) {
            throw new IllegalArgumentException(text);
        }
        return Duration.ofMillis(millis);
    }

    private static long parseQuantity(String text, Function<String, Long> unitFactor) {
        int digits = 0;
        while (digits < text.length() && (Character.isDigit(text.charAt(digits)) || text.charAt(digits) == '.')) {
            digits++;
        }
        long factor = unitFactor.apply(text.substring(digits).strip());
        BigDecimal quantity = new BigDecimal(text.substring(0, digits)).multiply(BigDecimal.valueOf(factor));
        if (quantity.compareTo(BigDecimal.ONE) < 0 || quantity.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(text);
        }
        return quantity.longValue();
    }
}
