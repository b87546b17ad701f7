// State and what leaves: what stops the bot, and what keeps it stopped.

import { describe, expect, test } from "vitest";
import type { Control } from "../../src/domain/event.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import type { RiskState } from "../../src/domain/step.ts";
import type { StopCause } from "../../src/domain/stop-cause.ts";
import { millis } from "../../src/domain/time.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { resolveProfile } from "../../src/exchange/profile.ts";
import type { Approved } from "../../src/risk/gate.ts";
import { UnspentApprovals } from "../../src/risk/sent-equals-approved.ts";
import {
  FRESH,
  joined,
  RESUME,
  STOPS_MAX,
  stopsOf,
  type TradingState,
  transition,
} from "../../src/risk/trading-state.ts";
import { aCandidate, aDesk, aGate, NOON, VGBP_GBP } from "./stage.ts";

const LATER = millis(NOON + 1);
const kill: Control = { kind: "kill", reason: "stop", by: "anna" };
const resume: Control = { kind: "resume", reason: "looked at it", by: "ben" };
const halt: Control = { kind: "halt", cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" };
const reduce: Control = { kind: "reduce", cause: "other", reason: "new version", wayOut: "wait" };
const FORMS = [
  ["form", "strings"],
  ["json", "strings"],
  ["json", "numbers"],
] as const;
const STATES: RiskState[] = ["ACTIVE", "REDUCED", "HALTED"];

function standing(state: RiskState): TradingState {
  const stop = { state, reason: "before", wayOut: RESUME, by: "bot", since: NOON, also: [] };
  return state === "ACTIVE" ? stop : { ...stop, cause: "other" };
}

describe("the state", () => {
  test("gets stricter by the bot and by a person, and never looser but by a person who says why", () => {
    const following = (change: Control) => STATES.map((state) => transition(standing(state), change, LATER).state);
    expect(following(reduce)).toEqual(["REDUCED", "REDUCED", "HALTED"]);
    expect(following(halt)).toEqual(["HALTED", "HALTED", "HALTED"]);
    expect(following(kill)).toEqual(["HALTED", "HALTED", "HALTED"]);
    expect(following(resume)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    expect(transition(standing("HALTED"), kill, LATER)).toMatchObject({
      cause: "person",
      also: [{ reason: "before" }],
    });
    expect(following({ kind: "heartbeat", by: "watchdog" })).toEqual(STATES);
    for (const reason of ["", "  ", "\n"]) expect(following({ ...resume, reason })).toEqual(STATES);
  });

  test("set by a rule is at most as loose as it was", () => {
    for (const from of STATES)
      for (const to of STATES) {
        const change = { kind: "state", state: to, cause: "loss", reason: "r", wayOut: "w" } as const;
        const before = standing(from);
        const found = transition(before, change, LATER);
        if (to === "ACTIVE") expect(found).toBe(before);
        expect(found.state).toBe(STATES[Math.max(STATES.indexOf(from), STATES.indexOf(to))]);
      }
  });

  test("keeps its first reason, and who resumed and why", () => {
    // Where nothing stands there is nothing to take back, and nobody to name.
    expect(transition(FRESH, resume, LATER)).toBe(FRESH);
    const halted = transition(FRESH, halt, NOON);
    expect(transition(halted, halt, LATER)).toBe(halted);
    expect(halted).toEqual({
      state: "HALTED",
      reason: "balances differ",
      wayOut: "pegbot adopt",
      by: "bot",
      since: NOON,
      cause: "balances",
      also: [],
    });
    expect(transition(halted, resume, LATER)).toEqual({
      state: "ACTIVE",
      reason: "looked at it",
      wayOut: "",
      by: "ben",
      since: LATER,
      also: [],
    });
  });
});

describe("stops that stand together", () => {
  const stoppedBy = (...changes: Parameters<typeof transition>[1][]): TradingState =>
    changes.reduce((standing, change) => transition(standing, change, LATER), FRESH);
  const told = (found: TradingState): string[] => stopsOf(found).map(({ state, reason }) => `${state} ${reason}`);

  test.each<[string, Control[]]>([
    ["came before it", [halt, kill]],
    ["came after it", [kill, halt]],
  ])("a person's stop that is taken back leaves the bot's own that %s, with its reason and way out", (_, changes) => {
    const both = stoppedBy(...changes);
    expect(told(both)).toEqual(["HALTED stop", "HALTED balances differ"]);
    const left = transition(both, resume, LATER);
    expect(left).toMatchObject({ state: "HALTED", reason: "balances differ", wayOut: "pegbot adopt", also: [] });
    expect(transition(left, resume, LATER).state).toBe("ACTIVE");
  });

  test("a person's stop over REDUCED leaves REDUCED, and over both the stricter one first", () => {
    expect(told(stoppedBy(reduce, kill, resume))).toEqual(["REDUCED new version"]);
    expect(told(stoppedBy(reduce, kill, halt, resume))).toEqual(["HALTED balances differ", "REDUCED new version"]);
  });

  test("further reasons of a halt are kept in the order they came, and one resume takes back all that were shown", () => {
    const found = stoppedBy(halt, { ...halt, reason: "RC05: lost" }, reduce, { ...halt, reason: "a bug" });
    expect(told(found)).toEqual(["HALTED balances differ", "HALTED RC05: lost", "HALTED a bug", "REDUCED new version"]);
    expect(transition(found, resume, LATER)).toMatchObject({ state: "ACTIVE", also: [] });
  });

  test("two stops of persons are taken back together, the bot's own beneath them is not", () => {
    expect(told(stoppedBy(kill, halt, { ...kill, reason: "me too" }))).toEqual([
      "HALTED stop",
      "HALTED me too",
      "HALTED balances differ",
    ]);
    expect(told(stoppedBy(kill, halt, { ...kill, reason: "me too" }, resume))).toEqual(["HALTED balances differ"]);
  });

  test("without a subject the same words with other figures are no news, those of another order are", () => {
    const doubt = (id: string, ms: number): Control => ({ ...halt, reason: `RC16: ${id} is in doubt for ${ms} ms` });
    const found = stoppedBy(doubt("T-a-1", 100));
    expect(transition(found, doubt("T-a-1", 2_500), LATER)).toBe(found);
    expect(told(transition(found, doubt("T-a-2", 100), LATER))).toHaveLength(2);
  });

  test("what a stop is about decides, and not its words, where it says so", () => {
    const about = (cause: StopCause, subject: string, reason: string, finding?: string): Control => ({
      ...{ kind: "halt", cause, subject, finding, reason, wayOut: "pegbot adopt" },
    });
    const found = stoppedBy(about("foreign", "order o-1", "a trade of o-1"));
    expect(transition(found, about("foreign", "order o-1", "quite another text, of 2 rows"), LATER)).toBe(found);
    expect(told(transition(found, about("foreign", "order o-2", "a trade of o-1"), LATER))).toHaveLength(2);
    expect(told(transition(found, about("balances", "order o-1", "a trade of o-1"), LATER))).toHaveLength(2);
    const more = transition(found, about("foreign", "order o-1", "and it is booked", "booked"), LATER);
    expect(told(more)).toEqual(["HALTED and it is booked"]);
    expect(transition(more, about("foreign", "order o-1", "a trade of o-1"), LATER)).toBe(more);
  });

  test("a cause that becomes stricter takes the place of the weaker, and a person's stop never that of the bot's own", () => {
    const reason = "RC25: silent for 5 ms";
    expect(told(stoppedBy({ ...halt, kind: "reduce", reason }, { ...halt, reason }))).toEqual([`HALTED ${reason}`]);
    expect(told(stoppedBy({ ...halt, reason }, { ...halt, kind: "reduce", reason }))).toEqual([`HALTED ${reason}`]);
    expect(told(stoppedBy({ ...halt, reason }, { ...kill, reason }, resume))).toEqual([`HALTED ${reason}`]);
  });

  test("are bounded in number and length, but the first of its kind always finds room", () => {
    const many = Array.from({ length: 50 }, (_, i): Control => ({ ...halt, reason: `cause ${"x".repeat(i)}` }));
    const kills = Array.from({ length: 50 }, (_, i): Control => ({ ...kill, reason: `why ${"y".repeat(i)}` }));
    const reduced = Array.from({ length: 50 }, (_, i): Control => ({ ...reduce, reason: `new ${"z".repeat(i)}` }));
    const found = stoppedBy(...kills, ...reduced, halt);
    expect(stopsOf(found).map(({ state, cause }) => (cause === "person" ? cause : state))).toEqual([
      ...Array.from({ length: STOPS_MAX }, () => "person"),
      "HALTED",
      ...Array.from({ length: STOPS_MAX }, () => "REDUCED"),
    ]);
    expect(stopsOf(stoppedBy(...many))).toHaveLength(STOPS_MAX);
    // Eight reductions and the first halt, whatever halts come after it.
    expect(stopsOf(stoppedBy(...reduced, ...many))).toHaveLength(STOPS_MAX + 1);
    const long = stoppedBy({ ...halt, reason: `${"漢".repeat(5_000)}\u001b[2J` });
    expect(long.reason).toHaveLength(400);
    expect(stoppedBy({ ...halt, reason: long.reason }).reason).toBe(long.reason);
    // No half of a letter, which a file would not give back.
    expect(stoppedBy({ ...halt, reason: `${"x".repeat(398)}😀${"y".repeat(10)}` }).reason.isWellFormed()).toBe(true);
  });

  test("of two processes are all of both", () => {
    const one = stoppedBy(halt);
    expect(joined(one, stoppedBy(halt))).toBe(one);
    expect(joined(one, FRESH)).toBe(one);
    expect(told(joined(one, stoppedBy(kill, reduce)))).toEqual([
      "HALTED stop",
      "HALTED balances differ",
      "REDUCED new version",
    ]);
    expect(told(joined(FRESH, stoppedBy(kill, halt)))).toEqual(told(stoppedBy(kill, halt)));
  });
});

describe("RC21, what leaves is what was approved", () => {
  function approve(order: Parameters<typeof aCandidate>[0] = {}): Approved {
    const verdict = aGate().review(aCandidate(order), aDesk());
    if (verdict.kind !== "approved") throw new Error("must be approved");
    return verdict.intent;
  }

  function waiting(order: Approved): UnspentApprovals {
    const approvals = new UnspentApprovals();
    approvals.add(order);
    return approvals;
  }

  test("an approval is spent once", () => {
    const order = approve();
    const approvals = waiting(order);
    expect(approvals.spend(order)).toBeUndefined();
    expect(approvals.spend(order)).toMatchObject({
      state: "HALTED",
      cause: "exit_check",
      subject: `RC21 ${order.clientOrderId}`,
      wayOut: RESUME,
    });
  });

  test.each<[string, (order: Approved) => Partial<Approved>]>([
    ["size", () => ({ quantity: Quantity.of("100.01") })],
    ["limit", () => ({ limit: Price.of("1.0001") })],
    ["side", () => ({ side: "sell" })],
    ["pair", () => ({ symbol: VGBP_GBP })],
    ["id", () => ({ clientOrderId: "T-other" as ClientOrderId })],
  ])("an order whose %s is another is held back, in memory and in its bytes", (_, change) => {
    const order = approve();
    const other = { ...order, ...change(order) };
    expect(waiting(order).spend(other)?.reason).toMatch(/^RC21: /);
    for (const [formCalls, formNumbers] of FORMS) {
      const sentOf = (one: Approved): string => {
        const body = addOrder(one).body({ ...resolveProfile("contract"), formCalls, formNumbers }, millis(0));
        if (!body.ok) throw new Error(body.error);
        return body.value.sent;
      };
      expect(waiting(order).spend(order, sentOf(other))?.reason).toMatch(/^RC21: /);
      expect(waiting(order).spend(order, sentOf(order))).toBeUndefined();
    }
  });

  test("a dropped order is held back", () => {
    const order = approve();
    const approvals = waiting(order);
    approvals.drop(order.clientOrderId);
    expect(approvals.spend(order)?.state).toBe("HALTED");
  });

  test("one id is approved once", () => {
    const order = approve();
    expect(() => waiting(order).add(order)).toThrow(/approved once/);
  });
});
