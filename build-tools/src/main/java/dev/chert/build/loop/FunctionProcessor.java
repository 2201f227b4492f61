package dev.chert.build.loop;

import dev.chert.build.loop.LoopMethod.Context;
import dev.chert.build.loop.LoopMethod.Parameter;
import dev.chert.build.loop.LoopMethod.Result;
import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.annotation.processing.SupportedOptions;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;

/// Writes loops and the index for the methods that are annotated as scalar functions.
///
/// The first round renders the templates `*.java.ftl` under the directory that the option `chert.templates`
/// names; the second sees what came of them, and writes the index. So the last round writes nothing.
@SupportedAnnotationTypes(FunctionProcessor.ANNOTATION)
@SupportedOptions(FunctionProcessor.TEMPLATES)
public final class FunctionProcessor extends AbstractProcessor {
    static final String ANNOTATION = "dev.chert.function.ScalarFunction";
    static final String TEMPLATES = "chert.templates";
    private static final String SUFFIX = ".java.ftl";

    private final List<FunctionEntry> entries = new ArrayList<>();
    private final Map<String, Integer> namesTaken = new HashMap<>();
    private int round;
    private boolean indexWritten;

    public FunctionProcessor() {}

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment environment) {
        round++;
        boolean rendered = round == 1 && renderTemplates();
        TypeElement annotation = processingEnv.getElementUtils().getTypeElement(ANNOTATION);
        if (annotation != null) {
            for (Element element : environment.getElementsAnnotatedWith(annotation)) {
                handle((ExecutableElement) element, annotation);
            }
        }
        if (!rendered && !indexWritten && !entries.isEmpty() && !environment.processingOver()) {
            indexWritten = true;
            write(IndexWriter.CLASS, IndexWriter.write(entries));
        }
        return true;
    }

    private boolean renderTemplates() {
        String directory = processingEnv.getOptions().get(TEMPLATES);
        if (directory == null) {
            return false;
        }
        Path root = Path.of(directory);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            error(null, "the templates in " + directory + " cannot be read: " + e.getMessage());
            return false;
        }
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
        for (Path file : files) {
            String relative = root.relativize(file).toString().replace('\\', '/');
            String className =
                    relative.substring(0, relative.length() - SUFFIX.length()).replace('/', '.');
            try {
                StringWriter text = new StringWriter();
                new Template(relative, new StringReader(Files.readString(file)), configuration).process(Map.of(), text);
                write(className, text.toString());
            } catch (IOException | TemplateException e) {
                error(null, file + ": " + e.getMessage());
            }
        }
        return !files.isEmpty();
    }

    private void handle(ExecutableElement element, TypeElement annotation) {
        if (!element.getModifiers().contains(Modifier.STATIC)
                || element.getModifiers().contains(Modifier.PRIVATE)) {
            error(element, "a scalar function is a static method that its package can see");
            return;
        }
        try {
            LoopMethod method = describe(element);
            entries.add(new FunctionEntry(method, attributes(element, annotation)));
            write(method.packageName() + "." + method.loopClass(), LoopWriter.write(method));
        } catch (IllegalArgumentException e) {
            error(element, e.getMessage());
        }
    }

    private LoopMethod describe(ExecutableElement element) {
        Element owner = element.getEnclosingElement();
        PackageElement inPackage = processingEnv.getElementUtils().getPackageOf(owner);
        List<VariableElement> all = new ArrayList<>(element.getParameters());
        Context context = Context.NONE;
        if (!all.isEmpty()) {
            context = switch (all.getFirst().asType().toString()) {
                case "dev.chert.query.QueryContext" -> Context.QUERY;
                case "dev.chert.function.CallContext" -> Context.CALL;
                default -> Context.NONE;
            };
            if (context != Context.NONE) {
                all.removeFirst();
            }
        }
        Result result;
        if (element.getReturnType().getKind() == TypeKind.VOID) {
            if (all.isEmpty()) {
                throw new IllegalArgumentException("a function gives a result");
            }
            result = switch (all.removeLast().asType().toString()) {
                case "dev.chert.function.StringWriter" -> new Result(Slot.STRING, false);
                case "dev.chert.kernel.Int128" -> new Result(Slot.INT128, false);
                default ->
                    throw new IllegalArgumentException(
                            "the last parameter of a method that returns nothing is a StringWriter or an Int128");
            };
        } else {
            Parameter returned = parameter(element.getReturnType());
            if (returned.slot().boxedType() == null) {
                throw new IllegalArgumentException(element.getReturnType() + " is written by a last parameter");
            }
            result = new Result(returned.slot(), returned.boxed());
        }
        List<Parameter> parameters =
                all.stream().map(variable -> parameter(variable.asType())).toList();
        String base = capitalised(element.getSimpleName().toString());
        String name = owner.getSimpleName() + base + "Loop";
        int number = namesTaken.merge(inPackage.getQualifiedName() + "." + name, 1, Integer::sum);
        return new LoopMethod(
                inPackage.getQualifiedName().toString(),
                owner.getSimpleName().toString(),
                element.getSimpleName().toString(),
                number == 1 ? name : name + number,
                context,
                parameters,
                result);
    }

    private static String capitalised(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static Parameter parameter(TypeMirror type) {
        String name = type.toString();
        for (Slot slot : Slot.values()) {
            if (slot != Slot.PREPARED && name.equals(slot.javaType())) {
                return new Parameter(slot, false, null);
            }
            if (slot.boxedType() != null && name.equals("java.lang." + slot.boxedType())) {
                return new Parameter(slot, true, null);
            }
        }
        return switch (name) {
            case "dev.chert.batch.StringView" -> new Parameter(Slot.STRING, false, null);
            case "dev.chert.kernel.Int128" -> new Parameter(Slot.INT128, false, null);
            default -> new Parameter(Slot.PREPARED, false, name);
        };
    }

    private Map<String, Object> attributes(ExecutableElement element, TypeElement annotation) {
        Map<String, Object> attributes = new HashMap<>();
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            if (!mirror.getAnnotationType().asElement().equals(annotation)) {
                continue;
            }
            processingEnv
                    .getElementUtils()
                    .getElementValuesWithDefaults(mirror)
                    .forEach((key, value) -> attributes.put(key.getSimpleName().toString(), plain(value)));
        }
        return attributes;
    }

    private static Object plain(AnnotationValue value) {
        if (value.getValue() instanceof List<?> list) {
            return list.stream()
                    .map(item -> ((AnnotationValue) item).getValue())
                    .toList();
        }
        return value.getValue();
    }

    private void write(String className, String source) {
        try (Writer writer =
                processingEnv.getFiler().createSourceFile(className).openWriter()) {
            writer.write(source);
        } catch (IOException e) {
            error(null, className + " cannot be written: " + e.getMessage());
        }
    }

    private void error(Element element, String message) {
        if (element == null) {
            processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message);
        } else {
            processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message, element);
        }
    }
}
