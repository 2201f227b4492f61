package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.batch.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One annotated method, as the index lists it: an overload of a function, or one of the two forms of one on
/// DECIMAL.
public final class FunctionMethod {
    private final int id;
    private final String name;
    private final List<String> aliases;
    private final String signature;
    private final List<String> forms;
    private final String resultForm;
    private final boolean deterministic;
    private final String description;
    private final String example;
    private final String exampleResult;
    private final List<TypeKind> parameterKinds;
    private final String resultRule;

    FunctionMethod(
            int id,
            String name,
            List<String> aliases,
            String signature,
            String forms,
            String resultForm,
            boolean deterministic,
            String description,
            String example,
            String exampleResult) {
        this.id = id;
        this.name = name;
        this.aliases = aliases;
        this.forms = forms.isEmpty() ? List.of() : List.of(forms.split(","));
        this.resultForm = resultForm;
        this.deterministic = deterministic;
        this.description = description;
        this.example = example;
        this.exampleResult = exampleResult;
        this.signature = signature.isEmpty() ? signatureOfForms() : signature;
        int close = this.signature.indexOf(')');
        String inner = this.signature.substring(1, close).trim();
        this.parameterKinds = new ArrayList<>();
        if (!inner.isEmpty()) {
            Arrays.stream(inner.split("\\s*,\\s*")).map(TypeKind::valueOf).forEach(parameterKinds::add);
        }
        this.resultRule =
                this.signature.substring(this.signature.indexOf("->") + 2).trim();
        assert parameterKinds.size() == this.forms.size() : name + signature;
    }

    private String signatureOfForms() {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < forms.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(kindOfForm(forms.get(i)));
        }
        return text.append(") -> ").append(kindOfForm(resultForm)).toString();
    }

    private static TypeKind kindOfForm(String form) {
        return switch (form.replace("?", "")) {
            case "BOOLEAN" -> TypeKind.BOOLEAN;
            case "BYTE" -> TypeKind.TINYINT;
            case "SHORT" -> TypeKind.SMALLINT;
            case "INT" -> TypeKind.INTEGER;
            case "LONG" -> TypeKind.BIGINT;
            case "FLOAT" -> TypeKind.REAL;
            case "DOUBLE" -> TypeKind.DOUBLE;
            case "STRING", "PREPARED" -> TypeKind.VARCHAR;
            default -> throw new IllegalArgumentException(form + " needs a signature");
        };
    }

    public String name() {
        return name;
    }

    public List<String> aliases() {
        return aliases;
    }

    /// `(VARCHAR, INTEGER) -> VARCHAR`.
    public String signature() {
        return signature;
    }

    public List<TypeKind> parameterKinds() {
        return parameterKinds;
    }

    /// The kind of the result, or `$i` for the type of argument `i`.
    String resultRule() {
        return resultRule;
    }

    public boolean deterministic() {
        return deterministic;
    }

    public String description() {
        return description;
    }

    public String example() {
        return example;
    }

    public String exampleResult() {
        return exampleResult;
    }

    /// True where parameter `i` takes NULL.
    public boolean takesNull(int i) {
        return forms.get(i).endsWith("?");
    }

    /// True where an argument or the result is 128 bits wide.
    public boolean isWide() {
        return resultForm.equals("INT128") || forms.contains("INT128");
    }

    /// The physical form of the result.
    public Physical resultPhysical() {
        return physicalOf(resultForm.replace("?", ""));
    }

    /// True where the loops can narrow a selection too.
    public boolean isPredicate() {
        return resultForm.equals("BOOLEAN");
    }

    /// The physical form in which argument `i` is read.
    public Physical physical(int i) {
        return physicalOf(forms.get(i).replace("?", ""));
    }

    private static Physical physicalOf(String form) {
        return switch (form) {
            case "BOOLEAN" -> Physical.BIT;
            case "BYTE" -> Physical.INT8;
            case "SHORT" -> Physical.INT16;
            case "INT" -> Physical.INT32;
            case "LONG" -> Physical.INT64;
            case "FLOAT" -> Physical.FLOAT32;
            case "DOUBLE" -> Physical.FLOAT64;
            case "STRING", "PREPARED" -> Physical.VIEW;
            case "INT128" -> Physical.INT128;
            default -> throw new IllegalArgumentException(form);
        };
    }

    /// Whether the method takes arguments of these types as they are.
    boolean takes(List<? extends DataType> types) {
        if (types.size() != parameterKinds.size()) {
            return false;
        }
        for (int i = 0; i < types.size(); i++) {
            TypeKind wanted = parameterKinds.get(i);
            TypeKind given = types.get(i).kind();
            if (wanted != given && !(wanted.isCharacter() && given.isCharacter())) {
                return false;
            }
        }
        return true;
    }

    /// Whether the method gives results of this type for arguments of these types.
    boolean gives(List<? extends DataType> types, DataType result) {
        TypeKind kind = resultRule.startsWith("$")
                ? types.get(Integer.parseInt(resultRule.substring(1))).kind()
                : TypeKind.valueOf(resultRule);
        return kind == result.kind() || (kind.isCharacter() && result.kind().isCharacter());
    }

    /// The loops, loaded on first use.
    public FunctionLoop loop() {
        return FunctionIndex.loop(id);
    }

    @Override
    public String toString() {
        return name + signature;
    }
}
