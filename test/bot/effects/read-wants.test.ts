import { describe, expect, it } from "vitest";
import { createReadWants, PollSchedule, type Read } from "../../../src/bot/effects/poll-schedule.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { classWorth } from "../../../src/exchange/port.ts";

const T0 = millis(Date.UTC(2026, 10, 15, 11));
const READS: readonly Read[] = ["quotes", "balances", "trades", "orders", "pairs"];

function wantsWhere(gain: number | undefined, says = true, stopped = () => false) {
  const engine = { quotesGain: () => gain, gainOf: says ? () => 1 : undefined, isStopped: stopped };
  return createReadWants(
    new PollSchedule(),
    () => engine,
    () => T0,
  );
}

const later = (ms: number): Millis => millis(T0 + ms);

describe("a read of the polls", () => {
  it("says no worth where the strategy does not: classes decide", () => {
    const wants = wantsWhere(undefined, false);
    for (const read of READS) expect(wants.of(read).worth).toBeUndefined();
  });

  it("of quotes is worth half of what they would earn, for the order needs a slot too: in hundredths", () => {
    // 1.20 CHF by two slots are 60 hundredths each.
    expect(wantsWhere(1.2).of("quotes").worth?.(later(100))).toBe(60);
    expect(wantsWhere(0).of("quotes").worth?.(later(100))).toBe(0);
    expect(wantsWhere(undefined).of("quotes").worth?.(later(100))).toBe(classWorth.quote);
  });

  it("never goes before a confirmation, whatever it would earn and however long it waited", () => {
    for (const read of READS)
      for (const ms of [0, 5_000, 600_000]) {
        const worth = wantsWhere(1e6).of(read).worth?.(later(ms)) ?? Number.NEGATIVE_INFINITY;
        expect(worth).toBeLessThan(classWorth.confirmation);
      }
  });

  it("has its turn after 5 s: before whatever other reads are said to be worth", () => {
    const most = wantsWhere(1e6).of("quotes").worth?.(later(0)) ?? 0;
    expect(most).toBeGreaterThan(classWorth.balance);
    expect(wantsWhere(1e6).of("balances").worth?.(later(4_999))).toBe(classWorth.balance);
    expect(wantsWhere(1e6).of("balances").worth?.(later(5_000))).toBeGreaterThan(most);
    expect(wantsWhere(0).of("quotes").worth?.(later(5_000))).toBeGreaterThan(most);
  });

  it("of quotes leaves its slot to any command while the bot is stopped, however long it waits; balances stay what they are", () => {
    for (const says of [true, false])
      for (const ms of [0, 5_000, 600_000]) {
        const wants = wantsWhere(undefined, says, () => true);
        expect(wants.of("quotes").worth?.(later(ms))).toBeLessThan(classWorth.other);
        expect(wants.of("balances").worth?.(later(ms))).toBe(classWorth.balance);
      }
  });

  it("that waits when the bot is resumed is worth again what it was", () => {
    let isStopped = true;
    for (const says of [true, false]) {
      isStopped = true;
      const quotes = wantsWhere(1.2, says, () => isStopped).of("quotes");
      isStopped = false;
      expect(quotes.worth?.(later(100))).toBe(says ? 60 : classWorth.quote);
    }
  });

  it("of histories and pairs has the worth of its class: the money protocol is no matter of gain", () => {
    for (const read of ["trades", "orders", "pairs"] as const) expect(wantsWhere(1).of(read).worth).toBeUndefined();
  });
});
