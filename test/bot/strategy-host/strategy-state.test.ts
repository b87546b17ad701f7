// What another version kept of a strategy: it fits, or the strategy starts fresh and a reason says so. It never ends a start.

import { describe, expect, it, test } from "vitest";
import { KeptStates } from "../../../src/bot/strategy-host/strategy-state.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { StateRecord } from "../../../src/journal/record.ts";
import { entryText } from "../../../src/journal/text/entry-text.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { saveState } from "../../../src/strategy/state.ts";
import { ema, sma, z } from "../../../src/strategy/strategy.ts";

const fresh = () => ({ average: ema(20), count: 1, list: [sma(3)] });
const strategy = (): Strategy => versioned(fresh);
const record = (state: unknown): StateRecord => ({ kind: "state", at: millis(1), strategy: "x", state });

function noteOf(state: unknown): string {
  const kept = new KeptStates();
  kept.keep(record(state));
  return kept.continued(strategy()).continuation.text;
}

function versioned(state: () => object, more: object = {}): Strategy {
  return unwrap(prepareStrategy({ name: "x", state, decide: () => undefined, ...more }, {}));
}

/** What the next version makes of the state that an earlier one left. */
function leftTo(before: Strategy, now: Strategy, became: object = {}) {
  const left = new KeptStates();
  Object.assign(before.state, became);
  const kept = new KeptStates();
  kept.keep(JSON.parse(JSON.stringify(unwrap(left.record(before, millis(1)) as never))) as StateRecord);
  return kept.continued(now);
}

const saved = saveState(fresh());
const good = saved.ok ? (saved.value as object) : {};

test("a state that was made alike is continued, also with more in it than this version of the strategy knows", () => {
  const of = (state: object) => noteOf({ params: {}, shape: strategy().stateShape, version: 0, state });
  expect(of(good)).toMatch(/continues from its last safe point/);
  expect(of({ ...good, later: 1 })).toMatch(/continues from its last safe point/);
});

test.each([
  { ...good, average: { $: "later", args: [20], is: [1] } },
  { ...good, average: { $: "ema", args: ["x"], is: ["y"] } },
  { ...good, average: { $: "ema", args: [20], is: [{}] } },
])("a state that this version cannot read starts it fresh, with the reason: %j", (state) => {
  const note = noteOf({ params: {}, shape: strategy().stateShape, version: 0, state });
  expect(note).toMatch(/^strategy x starts fresh .*, because its last state does not fit: ./);
});

describe("a state that another version of the strategy left", () => {
  const first = () => versioned(() => ({ at: 0 }));
  const capped = (more: object = {}) => versioned(() => ({ at: 0, spent: 0 }), more);

  it("is not loaded where a field is new, gone or of another kind, which is said by name", () => {
    const because =
      "strategy x starts fresh and knows nothing of what it did before, because its last state does not fit: ";
    const cases: [Strategy, Strategy, string][] = [
      [first(), capped(), "state.spent is new"],
      [capped(), first(), "state.spent is gone"],
      [first(), versioned(() => ({ at: "" })), "state.at was number, is string"],
      [first(), versioned(() => ({ at: { ms: 0 } })), "state.at was number, is an object"],
      [
        versioned(() => ({ a: { b: [0, 0] } })),
        versioned(() => ({ a: { b: [0, 0, 0] } })),
        "state.a.b was a list of 2 number, is a list of 3 number",
      ],
      [versioned(() => ({ a: ema(5) })), versioned(() => ({ a: sma(5) })), "state.a was ema(5), is sma(5)"],
      [first(), versioned(() => ({ at: 0 }), { stateVersion: 2 }), "stateVersion was 0, is 2"],
    ];
    for (const [before, now, text] of cases) {
      const { strategy: next, continuation } = leftTo(before, now);
      expect(continuation).toEqual({ text: because + text, isWarning: true });
      expect(next.state).toBe(now.state);
    }
  });

  it("goes on where it is made alike, whatever became of its values, and where what is new is undefined", () => {
    const make = () => ({ ...{ out: null, list: [], seen: {}, mode: "" }, count: 0 });
    const became = {
      out: { at: 1 },
      list: [1, 2],
      seen: { "VCHF/CHF": { n: 1 } },
      mode: null,
      count: undefined,
      more: 5,
    };
    const { strategy: next, continuation } = leftTo(
      versioned(make),
      versioned(() => ({ ...make(), since: undefined })),
      became,
    );
    expect(continuation).toEqual({ text: "strategy x continues from its last safe point", isWarning: false });
    expect(next.state).toEqual(became);
  });

  it("is taken over by its migrateState, which is told the version", () => {
    const migrateState = (saved: { at: number }, version: number) => ({ ...saved, spent: 100 + version });
    const { strategy: next, continuation } = leftTo(first(), capped({ migrateState, stateVersion: 1 }), { at: 7 });
    expect(next.state).toEqual({ at: 7, spent: 100 });
    expect(continuation.text).toBe(
      "strategy x continues from its last safe point; taken over by its migrateState: stateVersion was 0, is 1",
    );
    const third = versioned(() => ({ at: 0 }), { stateVersion: 3 });
    expect(leftTo(third, capped({ migrateState, stateVersion: 4 })).strategy.state).toEqual({ at: 0, spent: 103 });
    const gone = leftTo(first(), capped({ migrateState: () => undefined }));
    expect(gone.continuation).toMatchObject({ isWarning: true, text: expect.stringContaining("lets go of a state") });
    expect(gone.strategy.state).toEqual({ at: 0, spent: 0 });
  });

  it.each([
    [
      () => ({ at: 7, spent: Number.NaN }),
      "what its migrateState gives does not fit: state.spent must be a number, was NaN",
    ],
    [() => ({ at: 7, spent: null }), "what its migrateState gives does not fit: state.spent must be number, was null"],
    [() => ({ at: 7 }), "what its migrateState gives does not fit: state.spent must be number, was undefined"],
    [() => new Map(), "what its migrateState gives does not fit: state must be plain data or a signal, was a Map"],
    [
      () => {
        throw new Error("count by hand what was bought");
      },
      "its migrateState threw: Error: count by hand what was bought",
    ],
  ])("keeps the strategy from its host where its migrateState fails", (migrateState, why) => {
    const { continuation } = leftTo(first(), capped({ migrateState }));
    expect(continuation.text).toContain(`strategy x does not run: ${why}`);
    expect(continuation.wayOut).toContain("pegbot resume");
    expect(continuation.isWarning).toBe(true);
  });
});

describe("what is kept", () => {
  const lot = (of: number): StateRecord =>
    record({ params: { of }, shape: versioned(() => ({ of })).stateShape, version: 0, state: { of } });
  const keptOf = (...lots: readonly number[]): KeptStates => {
    const kept = new KeptStates();
    for (const of of lots) kept.keep(lot(of));
    return kept;
  };

  it("is nothing of a strategy that has no state", () => {
    const stateless = versioned(() => ({}));
    expect(new KeptStates().record(stateless, millis(1))).toBeUndefined();
    expect(keptOf(1).continued(stateless).continuation).toEqual({ text: "strategy x starts", isWarning: false });
  });

  it("is the newest last, also where it was kept before, and that is what a strategy goes on with", () => {
    const kept = keptOf(1, 2, 1);
    expect((kept.summary() as [string, unknown][]).map(([key]) => key)).toEqual(['x {"of":2}', 'x {"of":1}']);
    const { strategy: next } = kept.continued(versioned(() => ({ of: 0 }), { stateParams: [] }));
    expect(next.state).toEqual({ of: 1 });
  });

  it("is the last sixteen", () => {
    const lots = Array.from({ length: 17 }, (_, of) => of);
    const keys = (keptOf(...lots).summary() as [string, unknown][]).map(([key]) => key);
    expect(keys).toEqual(lots.slice(1).map((of) => `x {"of":${of}}`));
  });

  it("is said to be large once at each doubling", () => {
    const growing = versioned(() => ({ text: "" }));
    const kept = new KeptStates();
    const said = [200_000, 270_000, 500_000, 600_000, 600_000].map((length) => {
      Object.assign(growing.state, { text: "x".repeat(length) });
      kept.record(growing, millis(1));
      return kept.grown() !== undefined;
    });
    expect(said).toEqual([false, true, false, true, false]);
  });
});

describe("a state that is older than what the strategy did", () => {
  const asked = (ticket: string): Strategy =>
    unwrap(prepareStrategy({ ...counting, params: z.object({ ticket: z.string() }) }, { ticket }));
  const counting = { name: "x", state: () => ({ bought: 0 }), decide: () => undefined };
  const NONE = { lost: 0, odd: [] };
  const ordersOf = (writer: string, count: number) => Array.from({ length: count }, (_, n) => `T-${writer}-${n + 1}`);
  const savedOf = (strategy: Strategy): StateRecord => {
    const record = new KeptStates().record(strategy, millis(1));
    if (record === undefined) expect.unreachable("a state must be recorded");
    return unwrap(record);
  };
  const statesOf = (strategy: Strategy, writer: string): KeptStates => {
    const states = new KeptStates();
    states.keep(savedOf(strategy), writer);
    return states;
  };
  const kept = new KeptStates();
  const before = asked("1");
  kept.record(before, millis(1));

  it("neither goes on nor begins at zero: the strategy does not run, at any later start", () => {
    const later = new KeptStates();
    for (const record of kept.outdate({ ...NONE, lost: 2 }, millis(Date.UTC(2026, 0, 1))))
      later.keep(JSON.parse(JSON.stringify(record)) as StateRecord);
    for (const states of [kept, later]) {
      const { continuation } = states.continued(asked("1"));
      expect(continuation.text).toBe(
        "strategy x does not run: its last state is older than what it did: trades of this bot that the journal did not know, 2 of them, were taken over at 2026-01-01T00:00:00Z",
      );
      expect(continuation.wayOut).toMatch(/another ticket.*; start again, then pegbot resume/);
    }
  });

  it("is so as well where the rows of its orders are not as it was told, which is said apart", () => {
    const states = statesOf(asked("1"), "bot00001");
    const textAfter = (lost: number, odd: number) => {
      states.outdate({ lost, odd: ordersOf("bot00001", odd) }, millis(0));
      return states.continued(asked("1")).continuation.text.replace("strategy x does not run: ", "");
    };
    expect([textAfter(0, 1), textAfter(2, 3)]).toEqual([
      "its last state is older than what it did: trades that are not as it was told, 1 of them, were taken over at 1970-01-01T00:00:00Z",
      "its last state is older than what it did: trades of this bot that the journal did not know, 2 of them, and that are not as it was told, 3 of them, were taken over at 1970-01-01T00:00:00Z",
    ]);
  });

  it("is so only of the strategy whose process made the order, with all its tickets, and of none for an order by hand", () => {
    const other = unwrap(prepareStrategy({ ...counting, name: "y" }, {}));
    const states = new KeptStates();
    for (const [writer, strategy] of [
      ["bot00001", asked("1")],
      ["bot00002", other],
      ["bot00003", asked("2")],
    ] as const)
      states.keep(savedOf(strategy), writer);
    const outdatedBy = (writer: string): readonly string[] => {
      const records = states.outdate({ ...NONE, odd: [`T-${writer}-7`] }, millis(0));
      return records.map(({ strategy }) => strategy);
    };
    expect([outdatedBy("bot00002"), outdatedBy("hand0001"), outdatedBy("bot00001")]).toEqual([["y"], [], ["x", "x"]]);
    // Of a name that no bot made nobody can tell.
    expect(states.outdate({ ...NONE, odd: ["portal-1"] }, millis(0))).toHaveLength(3);
    // Trades that the journal has lost may be anybody's.
    expect(states.outdate({ ...NONE, lost: 1 }, millis(0))).toHaveLength(3);
  });

  it("is so of all for an order of a process that is no longer remembered", () => {
    const states = statesOf(asked("1"), "bot00001");
    for (let n = 0; n < 1_000; n++) states.keep(savedOf(asked("1")), `later${n}`);
    expect(states.outdate({ ...NONE, odd: ["T-bot00001-1"] }, millis(0))).toHaveLength(1);
  });

  it("is said in the record and not in the state, of which nothing is left", () => {
    const states = new KeptStates();
    states.record(asked("1"), millis(1));
    const [written] = states.outdate({ ...NONE, lost: 1 }, millis(2));
    if (written === undefined) expect.unreachable("a state must be outdated");
    const { record: plain } = JSON.parse(entryText(1, "any00000", written)) as { record: StateRecord };
    expect(plain.outdated).toMatch(/^its last state is older/);
    expect(Object.keys(plain.state as object)).toEqual(["params", "shape", "version"]);
  });

  it("leaves it to a person to begin anew, with another ticket", () => {
    const { strategy: hosted, continuation } = kept.continued(asked("2"));
    expect(continuation.text).toMatch(/starts fresh .* ticket was "1", is "2"$/);
    expect(hosted.state).toEqual({ bought: 0 });
  });

  it("or, where a strategy has no parameter that its state belongs to, with another stateVersion, whose migrateState has nothing to take over", () => {
    const plain = (more: object = {}) => versioned(() => ({ bought: 0 }), more);
    const states = new KeptStates();
    states.record(plain(), millis(1));
    states.outdate({ ...NONE, lost: 1 }, millis(2));
    expect(states.continued(plain()).continuation.wayOut).toBeDefined();
    const migrateState = () => ({ bought: 7 });
    const { strategy: hosted, continuation } = states.continued(plain({ stateVersion: 1, migrateState }));
    expect([continuation.wayOut, hosted.state]).toEqual([undefined, { bought: 0 }]);
    expect(continuation.text).toMatch(/starts fresh .* its last state does not fit: stateVersion was 0, is 1$/);
  });
});
