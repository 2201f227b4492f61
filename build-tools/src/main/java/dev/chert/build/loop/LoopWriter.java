package dev.chert.build.loop;

import dev.chert.build.loop.LoopMethod.Parameter;
import java.util.ArrayList;
import java.util.List;

/// Writes the source of a class with the loops of one method: one loop a shape.
///
/// A shape says of each argument whether it is a column or a constant, and whether all rows or selected ones are
/// wanted. Up to two arguments have a loop for each combination; with more, a constant is a column read with its
/// row masked to 0. A predicate has each loop twice: making bits and narrowing a selection.
public final class LoopWriter {
    private static final int MOST_SHAPED_ARGUMENTS = 2;

    private final LoopMethod method;
    private final StringBuilder out = new StringBuilder();

    private LoopWriter(LoopMethod method) {
        this.method = method;
    }

    /// Returns the source of the whole compilation unit.
    public static String write(LoopMethod method) {
        return new LoopWriter(method).unit();
    }

    private String unit() {
        line(0, "package " + method.packageName() + ";");
        line(0, "");
        for (String imported : imports()) {
            line(0, "import " + imported + ";");
        }
        line(0, "");
        line(0, "/// The loops of [" + method.owner() + "] `" + method.name() + "`.");
        line(0, "public final class " + method.loopClass() + " implements FunctionLoop {");
        line(1, "public " + method.loopClass() + "() {}");
        entry(Form.VALUES);
        if (method.isPredicate()) {
            entry(Form.SELECTION);
        }
        for (int shape : shapes()) {
            loop(shape, false, Form.VALUES);
            loop(shape, true, Form.VALUES);
            if (method.isPredicate()) {
                loop(shape, false, Form.SELECTION);
                loop(shape, true, Form.SELECTION);
            }
        }
        line(0, "}");
        return out.toString();
    }

    private enum Form {
        VALUES,
        SELECTION
    }

    private List<String> imports() {
        List<String> names = new ArrayList<>();
        names.add("dev.chert.batch.Column");
        names.add("dev.chert.batch.ColumnWriter");
        names.add("dev.chert.function.CallContext");
        names.add("dev.chert.function.FunctionLoop");
        boolean bits = method.result().slot() == Slot.BOOLEAN;
        boolean layouts = method.result().slot() == Slot.BOOLEAN;
        boolean strings = false;
        boolean wide = method.result().slot() == Slot.INT128;
        for (Parameter parameter : method.parameters()) {
            switch (parameter.slot()) {
                case BOOLEAN -> bits = true;
                case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> layouts = true;
                case STRING, PREPARED -> strings = true;
                case INT128 -> wide = true;
            }
        }
        switch (method.result().slot()) {
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> layouts = true;
            case STRING -> names.add("dev.chert.function.StringWriter");
            case BOOLEAN, INT128, PREPARED -> {}
        }
        if (bits) {
            names.add("dev.chert.batch.Bitmap");
        }
        if (layouts) {
            names.add("dev.chert.batch.Layouts");
        }
        if (strings) {
            names.add("dev.chert.batch.StringView");
        }
        if (wide) {
            names.add("dev.chert.kernel.Int128");
        }
        names.add("java.lang.foreign.MemorySegment");
        names.sort(null);
        return names;
    }

    private boolean masked() {
        return method.parameters().size() > MOST_SHAPED_ARGUMENTS;
    }

    private List<Integer> shapes() {
        List<Integer> shapes = new ArrayList<>();
        int count = method.parameters().size();
        if (masked() || count == 0) {
            shapes.add(0);
        } else {
            for (int shape = 0; shape < (1 << count) - 1; shape++) {
                shapes.add(shape);
            }
        }
        return shapes;
    }

    private void entry(Form form) {
        line(0, "");
        line(1, "@Override");
        String parameters = form == Form.VALUES
                ? "Column[] in, int[] selection, int count, ColumnWriter out, CallContext context"
                : "Column[] in, int[] selection, int count, int[] kept, CallContext context";
        String target = form == Form.VALUES ? "out" : "kept";
        String suffix = form == Form.VALUES ? "" : "Kept";
        String arguments = "in, selection, count, " + target + ", context";
        String returns = form == Form.VALUES ? "" : "return ";
        line(1, "public " + (form == Form.VALUES ? "void apply(" : "int select(") + parameters + ") {");
        List<Integer> shapes = shapes();
        if (shapes.size() == 1) {
            line(2, "if (selection == null) {");
            line(3, returns + "all0" + suffix + "(" + arguments + ");");
            line(2, "} else {");
            line(3, returns + "selected0" + suffix + "(" + arguments + ");");
            line(2, "}");
        } else {
            // All constants are folded before; one row of them is read by the loop for columns.
            line(2, "switch (FunctionLoop.shape(in)) {");
            for (int shape : shapes) {
                String label = shape == 0 ? "default" : "case " + shape;
                line(3, label + " -> {");
                line(4, "if (selection == null) {");
                line(5, returns + "all" + shape + suffix + "(" + arguments + ");");
                line(4, "} else {");
                line(5, returns + "selected" + shape + suffix + "(" + arguments + ");");
                line(4, "}");
                line(3, "}");
            }
            line(2, "}");
        }
        line(1, "}");
    }

    private void loop(int shape, boolean selected, Form form) {
        line(0, "");
        String name = (selected ? "selected" : "all") + shape + (form == Form.VALUES ? "" : "Kept");
        String parameters = form == Form.VALUES
                ? "Column[] in, int[] selection, int count, ColumnWriter out, CallContext context"
                : "Column[] in, int[] selection, int count, int[] kept, CallContext context";
        line(1, "private static " + (form == Form.VALUES ? "void " : "int ") + name + "(" + parameters + ") {");
        for (int i = 0; i < method.parameters().size(); i++) {
            setUp(i, (shape >> i & 1) != 0, selected);
        }
        String call = call(shape);
        if (form == Form.SELECTION) {
            line(2, "int size = 0;");
            openLoop(selected);
            line(3, "kept[size] = row;");
            line(3, "size += " + call + " ? 1 : 0;");
            line(2, "}");
            line(2, "return size;");
        } else {
            body(call, selected);
        }
        line(1, "}");
    }

    private void openLoop(boolean selected) {
        if (selected) {
            line(2, "for (int i = 0; i < count; i++) {");
            line(3, "int row = selection[i];");
        } else {
            line(2, "for (int row = 0; row < count; row++) {");
        }
    }

    private void setUp(int i, boolean constant, boolean selected) {
        Parameter parameter = method.parameters().get(i);
        Slot slot = parameter.slot();
        String slice = !selected && !constant && !masked() && slot.byteWidth() > 0
                ? ".asSlice(0, " + slot.byteWidth() + "L * count)"
                : "";
        line(2, "MemorySegment s" + i + " = in[" + i + "].values()" + slice + ";");
        if (masked()) {
            line(2, "int m" + i + " = in[" + i + "].isConstant() ? 0 : -1;");
        }
        if (parameter.boxed()) {
            line(2, "Column n" + i + " = in[" + i + "];");
        }
        switch (slot) {
            case STRING, PREPARED -> {
                line(2, "MemorySegment[] d" + i + " = in[" + i + "].slabs();");
                line(2, "StringView v" + i + " = new StringView();");
            }
            case INT128 -> line(2, "Int128 v" + i + " = new Int128();");
            case BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> {}
        }
        if (constant) {
            switch (slot) {
                case STRING, INT128 -> line(2, read(i, "0") + ";");
                case PREPARED -> line(2, parameter.javaType() + " c" + i + " = " + read(i, "0") + ";");
                case BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE ->
                    line(
                            2,
                            (parameter.boxed() ? slot.boxedType() : slot.javaType()) + " c" + i + " = " + read(i, "0")
                                    + ";");
            }
        }
    }

    private String read(int i, String row) {
        Parameter parameter = method.parameters().get(i);
        String plain = switch (parameter.slot()) {
            case BOOLEAN -> "Bitmap.get(s" + i + ", " + row + ")";
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE ->
                "s" + i + ".getAtIndex(Layouts." + parameter.slot().layout() + ", " + row + ")";
            case STRING -> "v" + i + ".at(s" + i + ", d" + i + ", " + row + ")";
            case INT128 -> "v" + i + ".at(s" + i + ", " + row + ")";
            case PREPARED ->
                "context.prepared(" + i + ", v" + i + ".at(s" + i + ", d" + i + ", " + row + "), "
                        + parameter.javaType() + "::of)";
        };
        if (!parameter.boxed()) {
            return plain;
        }
        String boxed = switch (parameter.slot()) {
            case BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE ->
                parameter.slot().boxedType() + ".valueOf(" + plain + ")";
            case STRING, INT128, PREPARED -> plain;
        };
        return "(n" + i + ".isNull(" + row + ") ? null : " + boxed + ")";
    }

    private String argument(int i, int shape) {
        if (masked()) {
            return read(i, "row & m" + i);
        }
        boolean constant = (shape >> i & 1) != 0;
        if (!constant) {
            return read(i, "row");
        }
        return switch (method.parameters().get(i).slot()) {
            case STRING, INT128 -> "v" + i;
            case PREPARED, BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> "c" + i;
        };
    }

    private String call(int shape) {
        List<String> arguments = new ArrayList<>();
        switch (method.context()) {
            case NONE -> {}
            case QUERY -> arguments.add("context.query()");
            case CALL -> arguments.add("context");
        }
        for (int i = 0; i < method.parameters().size(); i++) {
            arguments.add(argument(i, shape));
        }
        if (method.result().slot() == Slot.STRING || method.result().slot() == Slot.INT128) {
            arguments.add("result");
        }
        return method.owner() + "." + method.name() + "(" + String.join(", ", arguments) + ")";
    }

    private void body(String call, boolean selected) {
        Slot slot = method.result().slot();
        switch (slot) {
            case STRING -> {
                line(2, "StringWriter result = new StringWriter(out, in);");
                openLoop(selected);
                line(3, "result.row(row);");
                line(3, call + ";");
                line(2, "}");
            }
            case INT128 -> {
                line(2, "MemorySegment o = out.values();");
                line(2, "Int128 result = new Int128();");
                openLoop(selected);
                line(3, call + ";");
                line(3, "result.put(o, row);");
                line(2, "}");
            }
            case BOOLEAN -> bits(call, selected);
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> {
                line(2, "MemorySegment o = out.values();");
                openLoop(selected);
                if (method.result().boxed()) {
                    nullable(slot, call, "o.setAtIndex(Layouts." + slot.layout() + ", row, r);");
                } else {
                    line(3, "o.setAtIndex(Layouts." + slot.layout() + ", row, " + call + ");");
                }
                line(2, "}");
            }
            case PREPARED -> throw new IllegalArgumentException("a result cannot be prepared");
        }
    }

    private void nullable(Slot slot, String call, String store) {
        line(3, slot.boxedType() + " r = " + call + ";");
        line(3, "if (r == null) {");
        line(4, "out.setNull(row);");
        line(3, "} else {");
        line(4, store);
        line(3, "}");
    }

    private void bits(String call, boolean selected) {
        line(2, "MemorySegment o = out.values();");
        if (method.result().boxed()) {
            openLoop(selected);
            nullable(Slot.BOOLEAN, call, "Bitmap.put(o, row, r);");
            line(2, "}");
        } else if (selected) {
            openLoop(true);
            line(3, "Bitmap.put(o, row, " + call + ");");
            line(2, "}");
        } else {
            line(2, "int row = 0;");
            line(2, "for (int word = 0; row < count; word++) {");
            line(3, "int end = Math.min(row + 64, count);");
            line(3, "long bits = 0;");
            line(3, "for (; row < end; row++) {");
            line(4, "bits |= (" + call + " ? 1L : 0L) << row;");
            line(3, "}");
            line(3, "o.setAtIndex(Layouts.LONG, word, bits);");
            line(2, "}");
        }
    }

    private void line(int depth, String text) {
        out.append("    ".repeat(text.isEmpty() ? 0 : depth)).append(text).append('\n');
    }
}
