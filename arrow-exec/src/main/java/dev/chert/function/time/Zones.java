package dev.chert.function.time;

import dev.chert.function.CallContext;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// Changes instants into local time of the query's zone and back; remembers the offset last used and how far it
/// is valid, so that most rows ask no rules. One a call.
public final class Zones {
    private final ZoneRules rules;
    private final ZoneId zone;
    private long validFrom = Long.MAX_VALUE;
    private long validTo = Long.MIN_VALUE;
    private long offset;

    private Zones(ZoneId zone) {
        this.zone = zone;
        this.rules = zone.getRules();
    }

    public static Zones of(CallContext context) {
        return context.state(call -> new Zones(call.query().zone()));
    }

    /// Local units of an instant.
    public long toLocal(long units, long unitsPerSecond) {
        long second = Math.floorDiv(units, unitsPerSecond);
        if (second < validFrom || second >= validTo) {
            find(second);
        }
        return Math.addExact(units, offset * unitsPerSecond);
    }

    private void find(long second) {
        Instant instant = Instant.ofEpochSecond(second);
        offset = rules.getOffset(instant).getTotalSeconds();
        ZoneOffsetTransition next = rules.nextTransition(instant);
        ZoneOffsetTransition previous = rules.previousTransition(instant.plusSeconds(1));
        validFrom = previous == null ? Long.MIN_VALUE : previous.toEpochSecond();
        validTo = next == null ? Long.MAX_VALUE : next.toEpochSecond();
    }

    /// The instant of local units; in a gap, as if the clock had not been put forward; in an overlap, the
    /// earlier.
    public long toInstant(long units, long unitsPerSecond) {
        long second = Math.floorDiv(units, unitsPerSecond);
        LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        long instant = local.atZone(zone).toEpochSecond();
        return Math.addExact(Math.multiplyExact(instant, unitsPerSecond), units - second * unitsPerSecond);
    }
}
