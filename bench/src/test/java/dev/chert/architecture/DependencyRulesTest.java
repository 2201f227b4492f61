package dev.chert.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.State;

/// Who may depend on whom, among our packages and on libraries.
///
/// Maven already keeps a module from seeing what lies above it. These rules hold where Maven does not look: between the
/// packages of a module, and on libraries that come along with a module's dependencies.
class DependencyRulesTest {
    /// Code that tools write into packages of ours, in shapes of their own.
    private static final String[] GENERATED = {"..generated..", "..jmh_generated.."};

    private static JavaClasses chert;

    @BeforeAll
    static void readClassFiles() {
        chert = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.chert");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"memory", "batch", "planner", "table", "cli", "sqltest", "bench"})
    void everyModuleIsSeen(String packageName) {
        assertThat(chert.stream().map(JavaClass::getPackageName))
                .anyMatch(name -> (name + ".").startsWith("dev.chert." + packageName + "."));
    }

    /// Each package with the packages of ours that it must not know.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ':',
            value = {
                "error: memory batch kernel function expression plan operator pipeline source arrow",
                "memory: batch kernel function expression plan operator pipeline source arrow",
                "query: kernel function expression plan operator pipeline source arrow",
                "batch: function expression plan operator pipeline source arrow",
                "kernel: function expression plan operator pipeline source arrow",
                "function: plan operator pipeline source arrow",
                "expression: plan operator pipeline source arrow",
                "plan: operator pipeline arrow",
                "source: plan operator pipeline",
                "arrow: function plan operator pipeline",
                "operator: planner table",
                "pipeline: planner table",
                "formats: kernel function plan operator pipeline planner table cli sqltest bench",
                "planner: formats operator pipeline kernel table cli sqltest bench",
                "table: formats cli sqltest bench",
                "cli: formats operator kernel sqltest bench",
                "sqltest: formats operator kernel cli bench",
            })
    void dependenciesPointDown(String packageName, String forbidden) {
        noClasses()
                .that()
                .resideInAPackage("dev.chert." + packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages(forbidden))
                .allowEmptyShould(true)
                .check(chert);
    }

    /// Each library with the only packages of ours that may use it.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ':',
            value = {
                "org.apache.arrow: arrow table",
                "org.apache.calcite: planner",
                "org.apache.parquet: formats",
                "org.codehaus: expression",
                "org.jline: cli",
                "picocli: cli sqltest bench",
                "org.duckdb: bench",
                "io.trino: bench",
                "org.openjdk.jmh: bench",
            })
    void librariesStayWhereTheyAreWrapped(String library, String users) {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages(users))
                .and()
                .areNotAnnotatedWith(State.class) // JMH benchmarks stand in the package of what they measure
                .and()
                .resideOutsideOfPackages(GENERATED)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library + "..")
                .check(chert);
    }

    @Test
    void nothingUsesUnsafeOrHadoop() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("sun..", "jdk.internal..", "org.apache.hadoop..", "io.netty..")
                .check(chert);
    }

    @Test
    void packagesFormNoCycles() {
        slices().assignedFrom(new PackageFamilies())
                .should()
                .beFreeOfCycles()
                .ignoreDependency(resideInAnyPackage(GENERATED), DescribedPredicate.alwaysTrue())
                .ignoreDependency(annotatedWith(State.class), DescribedPredicate.alwaysTrue())
                .check(chert);
    }

    /// A slice is a package, with one exception: functions and expressions are one. The registry of functions makes
    /// call expressions, which run the functions' loops, and its generated index names the loops of every package of
    /// functions.
    private static final class PackageFamilies implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            boolean function = name.matches("dev\\.chert\\.(function|expression)(\\..*)?");
            return SliceIdentifier.of(function ? "dev.chert.function and dev.chert.expression" : name);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    @Test
    void classesAreFinalOrMeantToBeExtended() {
        classes()
                .that()
                .areTopLevelClasses()
                .and()
                .areNotAnnotatedWith(State.class) // JMH extends these
                .and()
                .resideOutsideOfPackages(GENERATED)
                .and()
                .areNotInterfaces()
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(chert);
    }

    private static String[] packages(String names) {
        List<String> packages = new ArrayList<>();
        for (String name : names.strip().split(" ")) {
            packages.add("dev.chert." + name + "..");
        }
        return packages.toArray(String[]::new);
    }
}
