package dev.chert.build.grammar;

import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateDirectiveModel;
import freemarker.template.TemplateException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Writes the Java sources of a parser: template, edits, FreeMarker, JavaCC.
///
/// The grammar folder holds `parser.data` (what the template is expanded with), `edits.txt` (see [GrammarEdits]) and
/// the files that `parser.data` includes. The template and its defaults come from the class path, where Calcite puts
/// them. Nothing is written when neither input nor generator changed: a digest of them all lies beside the outputs.
public final class GrammarGenerator {
    private static final String TEMPLATE = "codegen/templates/Parser.jj";
    private static final String DEFAULTS = "codegen/default_config.fmpp";
    private static final String STAMP = "grammar.sha256";

    /// Every lint that JavaCC's output and Calcite's template set off.
    private static final String SPARED =
            "@SuppressWarnings({\"cast\", \"dangling-doc-comments\", \"deprecation\", \"fallthrough\","
                    + " \"lossy-conversions\", \"overloads\", \"rawtypes\", \"serial\", \"static\","
                    + " \"this-escape\", \"unchecked\"})";

    private final Path grammar;
    private final Path sources;

    private GrammarGenerator(Path grammar, Path sources) {
        this.grammar = grammar;
        this.sources = sources;
    }

    /// @param args the folder of the grammar, the root of the generated sources
    public static void main(String[] args) throws IOException {
        new GrammarGenerator(Path.of(args[0]), Path.of(args[1])).run();
    }

    private void run() throws IOException {
        String template = resource(TEMPLATE);
        String defaults = resource(DEFAULTS);
        String digest = digest(template, defaults);
        Path stamp = sources.resolve(STAMP);
        if (Files.exists(stamp) && Files.readString(stamp).equals(digest)) {
            return;
        }
        Map<String, Object> data = GrammarData.read("parser.data", Files.readString(grammar.resolve("parser.data")));
        String edited = GrammarEdits.read("edits.txt", Files.readString(grammar.resolve("edits.txt")))
                .apply(template);
        String expanded = expand(edited, data, GrammarData.read(DEFAULTS, defaults));
        generate(expanded, packageOf(data));
        Files.writeString(stamp, digest);
    }

    private static String packageOf(Map<String, Object> data) {
        if (data.get("parser") instanceof Map<?, ?> parser && parser.get("package") instanceof String name) {
            return name;
        }
        throw new IllegalArgumentException("parser.data: expected parser: { package: \"...\" }");
    }

    private String expand(String template, Map<String, Object> data, Map<String, Object> defaults) throws IOException {
        StringTemplateLoader loader = new StringTemplateLoader();
        loader.putTemplate("Parser.jj", template);
        for (Path file : inputs()) {
            loader.putTemplate("@includes/" + file.getFileName(), Files.readString(file));
        }
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
        configuration.setTemplateLoader(loader);
        configuration.setDefaultEncoding(StandardCharsets.UTF_8.name());
        configuration.setLogTemplateExceptions(false);
        TemplateDirectiveModel nothing = (environment, parameters, variables, body) -> {};
        Map<String, Object> model = Map.of(
                "parser", data.get("parser"),
                "default", defaults,
                "pp", Map.of("dropOutputFile", nothing, "changeOutputFile", nothing));
        StringWriter expanded = new StringWriter();
        try {
            Template main = configuration.getTemplate("Parser.jj");
            main.process(model, expanded);
        } catch (TemplateException e) {
            throw new IllegalStateException("the grammar template does not expand: " + e.getMessage(), e);
        }
        return expanded.toString();
    }

    private void generate(String expanded, String packageName) throws IOException {
        Path folder = sources.resolve(packageName.replace('.', '/'));
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.list(folder)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(folder);
        Path input = sources.resolve("Parser.jj");
        Files.writeString(input, expanded);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream stdout = System.out;
        PrintStream stderr = System.err;
        int status;
        try (PrintStream captured = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            System.setOut(captured);
            System.setErr(captured);
            status = org.javacc.parser.Main.mainProgram(
                    new String[] {"-STATIC=false", "-LOOKAHEAD:1", "-OUTPUT_DIRECTORY:" + folder, input.toString()});
        } catch (Exception e) {
            throw new IllegalStateException("JavaCC failed on " + input, e);
        } finally {
            System.setOut(stdout);
            System.setErr(stderr);
        }
        Files.write(sources.resolve("javacc.log"), output.toByteArray());
        if (status != 0) {
            throw new IllegalStateException(
                    "JavaCC refuses " + input + ":\n" + output.toString(StandardCharsets.UTF_8));
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                adapt(file);
            }
        }
    }

    /// Makes JavaCC 7's output compile: lints are spared, and its returns, which it hides in a condition so that a
    /// compiler does not call the rest unreachable, are put in one that the compiler's rules of definite assignment
    /// know.
    private static void adapt(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("@SuppressWarnings")) {
                continue; // JavaCC's own, of which SPARED has more
            }
            boolean type = line.startsWith("public class ")
                    || line.startsWith("class ")
                    || line.startsWith("public interface ");
            if (type) {
                text.append(SPARED).append('\n');
            }
            text.append(line.replace("if (\"\" != null) return", "if (true) return"))
                    .append('\n');
        }
        Files.writeString(file, text);
    }

    private List<Path> inputs() throws IOException {
        try (Stream<Path> files = Files.list(grammar)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private String digest(String template, String defaults) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        for (Class<?> generator : List.of(GrammarGenerator.class, GrammarEdits.class, GrammarData.class)) {
            digest.update(bytes(generator.getName().replace('.', '/') + ".class"));
        }
        for (String part : List.of(template, defaults)) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
        }
        for (Path file : inputs()) {
            digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String resource(String name) throws IOException {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = GrammarGenerator.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path; it comes with calcite-core");
            }
            return in.readAllBytes();
        }
    }
}
