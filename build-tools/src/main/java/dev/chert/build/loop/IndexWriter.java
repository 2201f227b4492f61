package dev.chert.build.loop;

import dev.chert.build.loop.LoopMethod.Parameter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes the index of all functions: what each method is called and takes, and a lazy way to its loops.
final class IndexWriter {
    static final String CLASS = "dev.chert.function.FunctionIndex";

    /// Methods in one Java method of the index; more would come near the size that a Java method may have.
    private static final int ENTRIES_PER_METHOD = 100;

    private IndexWriter() {}

    static String write(List<FunctionEntry> entries) {
        StringBuilder out = new StringBuilder();
        out.append("package dev.chert.function;\n\nimport java.util.ArrayList;\nimport java.util.List;\n\n");
        out.append("/// Every method that is annotated as a scalar function.\nfinal class FunctionIndex {\n");
        out.append("    private FunctionIndex() {}\n\n");
        out.append("    static List<FunctionMethod> methods() {\n");
        out.append("        List<FunctionMethod> all = new ArrayList<>();\n");
        int parts = (entries.size() + ENTRIES_PER_METHOD - 1) / ENTRIES_PER_METHOD;
        for (int part = 0; part < parts; part++) {
            out.append("        part").append(part).append("(all);\n");
        }
        out.append("        return all;\n    }\n");
        for (int part = 0; part < parts; part++) {
            out.append("\n    private static void part").append(part).append("(List<FunctionMethod> all) {\n");
            int end = Math.min(entries.size(), (part + 1) * ENTRIES_PER_METHOD);
            for (int i = part * ENTRIES_PER_METHOD; i < end; i++) {
                for (String signature : signatures(entries.get(i))) {
                    out.append("        all.add(")
                            .append(entry(i, entries.get(i), signature))
                            .append(");\n");
                }
            }
            out.append("    }\n");
        }
        loops(entries, parts, out);
        return out.append("}\n").toString();
    }

    /// Classes of loops are named in a switch only, and as an interface, so that none is loaded before it is
    /// wanted.
    private static void loops(List<FunctionEntry> entries, int parts, StringBuilder out) {
        out.append("\n    static FunctionLoop loop(int id) {\n        return switch (id / ")
                .append(ENTRIES_PER_METHOD)
                .append(") {\n");
        for (int part = 0; part < parts; part++) {
            out.append("            case ")
                    .append(part)
                    .append(" -> loop")
                    .append(part)
                    .append("(id);\n");
        }
        out.append("            default -> throw new IndexOutOfBoundsException(id);\n        };\n    }\n");
        for (int part = 0; part < parts; part++) {
            out.append("\n    private static FunctionLoop loop").append(part).append("(int id) {\n");
            out.append("        return switch (id) {\n");
            int end = Math.min(entries.size(), (part + 1) * ENTRIES_PER_METHOD);
            for (int i = part * ENTRIES_PER_METHOD; i < end; i++) {
                LoopMethod method = entries.get(i).method();
                out.append("            case ").append(i).append(" -> new ");
                out.append(method.packageName())
                        .append('.')
                        .append(method.loopClass())
                        .append("();\n");
            }
            out.append("            default -> throw new IndexOutOfBoundsException(id);\n        };\n    }\n");
        }
    }

    /// One method may serve several lists of types, separated by semicolons.
    private static String[] signatures(FunctionEntry entry) {
        return entry.attributes().get("signature").toString().split("\\s*;\\s*", -1);
    }

    private static String entry(int id, FunctionEntry entry, String signature) {
        Map<String, Object> attributes = entry.attributes();
        LoopMethod method = entry.method();
        String forms = method.parameters().stream().map(IndexWriter::form).collect(Collectors.joining(","));
        String result = method.result().slot().name() + (method.result().boxed() ? "?" : "");
        List<?> aliases = (List<?>) attributes.get("aliases");
        return "new FunctionMethod("
                + id + ", "
                + quoted(attributes.get("name")) + ", "
                + "List.of(" + aliases.stream().map(IndexWriter::quoted).collect(Collectors.joining(", ")) + "), "
                + quoted(signature) + ", "
                + quoted(forms) + ", "
                + quoted(result) + ", "
                + attributes.get("deterministic") + ", "
                + quoted(attributes.get("description")) + ", "
                + quoted(attributes.get("example")) + ", "
                + quoted(attributes.get("result")) + ")";
    }

    private static String form(Parameter parameter) {
        return parameter.slot().name() + (parameter.boxed() ? "?" : "");
    }

    private static String quoted(Object text) {
        return "\""
                + text.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
