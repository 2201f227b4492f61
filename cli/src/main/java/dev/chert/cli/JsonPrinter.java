package dev.chert.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.chert.table.ValueText;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/// Writes a row a line as a JSON object.
///
/// Numbers are JSON numbers, decimals with their scale; NaN and the infinities, which JSON has no numbers for, are
/// strings, and so are dates, times and bytes.
final class JsonPrinter implements RowPrinter {
    private final Writer out;
    private final JsonGenerator json;
    private List<StatementRunner.Column> columns;

    JsonPrinter(Writer out) throws IOException {
        this.out = out;
        this.json = new JsonFactory()
                .createGenerator(out)
                .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
                .setRootValueSeparator(null);
    }

    @Override
    public void begin(List<StatementRunner.Column> columns) {
        this.columns = columns;
    }

    @Override
    public void row(Object[] values) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < values.length; i++) {
            json.writeFieldName(columns.get(i).name());
            value(values[i]);
        }
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void end() throws IOException {
        json.flush();
        out.flush();
    }

    private void value(Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Boolean truth -> json.writeBoolean(truth);
            case BigDecimal decimal -> json.writeNumber(decimal);
            case BigInteger integer -> json.writeNumber(integer);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Float number when Float.isFinite(number) -> json.writeNumber(number);
            case Byte _, Short _, Integer _, Long _ -> json.writeNumber(((Number) value).longValue());
            case Iterable<?> items -> {
                json.writeStartArray();
                for (Object item : items) {
                    value(item);
                }
                json.writeEndArray();
            }
            case Map<?, ?> entries -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : entries.entrySet()) {
                    json.writeFieldName(ValueText.of(entry.getKey()));
                    value(entry.getValue());
                }
                json.writeEndObject();
            }
            default -> json.writeString(ValueText.of(value));
        }
    }
}
