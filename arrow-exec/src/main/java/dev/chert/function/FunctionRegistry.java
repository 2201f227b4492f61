package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.error.SourcePosition;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.query.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// All scalar functions: by name for whoever builds expressions, by types for whoever runs them.
///
/// Built from the generated index once a JVM. A planner calls [#bind]; the evaluator calls [#implementation].
public final class FunctionRegistry {
    /// The name under which conversions are methods too; not a function of SQL's.
    public static final String CAST = "cast";

    private static final Map<String, List<FunctionMethod>> METHODS = new LinkedHashMap<>();
    private static final Map<String, String> CANONICAL = new LinkedHashMap<>();

    static {
        for (FunctionMethod method : FunctionIndex.methods()) {
            METHODS.computeIfAbsent(method.name(), name -> new ArrayList<>()).add(method);
            CANONICAL.put(method.name(), method.name());
            method.aliases().forEach(alias -> CANONICAL.put(alias, method.name()));
        }
    }

    private FunctionRegistry() {}

    /// Makes the call of a function or operator, with all conversions that its arguments need.
    ///
    /// @param name     in any case, or an alias
    /// @param position where it stands in the statement, or null
    /// @throws ValidationException if there is no such function, or none for these arguments
    public static Expression bind(String name, List<Expression> arguments, SourcePosition position) {
        String canonical = CANONICAL.get(name.toLowerCase(Locale.ROOT));
        if (canonical == null || canonical.equals(CAST)) {
            throw new ValidationException("there is no function " + name + nearest(name), position);
        }
        return Binding.bind(canonical, arguments, position)
                .orElseThrow(() -> new ValidationException(
                        canonical + types(arguments) + " does not exist; there is "
                                + METHODS.get(canonical).stream()
                                        .map(method -> canonical + method.signature())
                                        .distinct()
                                        .collect(Collectors.joining(", ")),
                        position));
    }

    /// Makes a conversion, or returns the input where it has the type already.
    ///
    /// @param tried whether a value that cannot be converted gives NULL
    /// @throws ValidationException if SQL has no such conversion
    public static Expression cast(Expression input, DataType type, boolean tried, SourcePosition position) {
        return Conversions.cast(input, type, tried, position);
    }

    /// All functions, by name.
    public static List<FunctionDefinition> definitions() {
        List<FunctionDefinition> definitions = new ArrayList<>();
        for (Map.Entry<String, List<FunctionMethod>> entry : new TreeMap<>(METHODS).entrySet()) {
            if (entry.getKey().equals(CAST)) {
                continue;
            }
            List<FunctionMethod> methods = entry.getValue();
            FunctionMethod documented = methods.stream()
                    .filter(method -> !method.description().isEmpty())
                    .findFirst()
                    .orElse(methods.getFirst());
            Set<String> aliases = new LinkedHashSet<>();
            Set<String> signatures = new LinkedHashSet<>();
            methods.forEach(method -> {
                aliases.addAll(method.aliases());
                signatures.add(method.signature());
            });
            definitions.add(new FunctionDefinition(
                    entry.getKey(),
                    List.copyOf(aliases),
                    List.copyOf(signatures),
                    methods.stream().allMatch(FunctionMethod::deterministic),
                    documented.description(),
                    documented.example(),
                    documented.exampleResult()));
        }
        return definitions;
    }

    /// Finds what runs a bound call.
    ///
    /// @throws TableException if nothing does
    public static Implementation implementation(String name, List<? extends DataType> arguments, DataType result) {
        return find(name, arguments, result)
                .orElseThrow(() -> new TableException("%s%s giving %s cannot be run"
                        .formatted(name, arguments.toString().replace('[', '(').replace(']', ')'), result)));
    }

    static Optional<Implementation> find(String name, List<? extends DataType> arguments, DataType result) {
        FunctionMethod plain = null;
        FunctionMethod wide = null;
        int leastMismatches = Integer.MAX_VALUE;
        for (FunctionMethod method : METHODS.getOrDefault(name, List.of())) {
            if (!method.takes(arguments) || !method.gives(arguments, result)) {
                continue;
            }
            int mismatches = mismatches(method, arguments, result);
            if (mismatches > leastMismatches) {
                continue;
            }
            if (mismatches < leastMismatches) {
                leastMismatches = mismatches;
                plain = null;
                wide = null;
            }
            if (method.isWide() && wide == null) {
                wide = method;
            } else if (!method.isWide() && plain == null) {
                plain = method;
            }
        }
        return plain == null && wide == null ? Optional.empty() : Optional.of(new Implementation(plain, wide));
    }

    /// Parameters that take CHAR for VARCHAR or the contrary; a mixed pair prefers CHAR, listed first.
    private static int mismatches(FunctionMethod method, List<? extends DataType> arguments, DataType result) {
        int count = 0;
        for (int i = 0; i < arguments.size(); i++) {
            count += method.parameterKinds().get(i) == arguments.get(i).kind() ? 0 : 1;
        }
        if (!method.resultRule().startsWith("$")
                && !method.resultRule().equals(result.kind().name())) {
            count++;
        }
        return count;
    }

    static List<FunctionMethod> methods(String canonicalName) {
        return METHODS.getOrDefault(canonicalName, List.of());
    }

    private static String nearest(String name) {
        Set<String> names = CANONICAL.keySet().stream()
                .filter(known -> Character.isLetter(known.charAt(0)) && !known.equals(CAST))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        String near = NearestName.of(name, names);
        return near == null ? "" : "; did you mean " + near + "?";
    }

    private static String types(List<Expression> arguments) {
        return arguments.stream()
                .map(argument -> argument.type().toString())
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
