// What a strategy remembers over a restart: kept while the parameters that it belongs to are equal, and refused otherwise.

import { describe, expect, it } from "vitest";
import { type Continuation, KeptStates } from "../../../src/bot/strategy-host/strategy-state.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { StateRecord } from "../../../src/journal/record.ts";
import { prepareBuiltIn } from "../../../src/strategy/built-in.ts";
import { prepareStrategy, type Strategy } from "../../../src/strategy/prepare.ts";
import { ema, z } from "../../../src/strategy/strategy.ts";

/** What the journal gives the next process. */
function leftBy(strategy: Strategy, became: object = {}): KeptStates {
  Object.assign(strategy.state, became);
  const record = new KeptStates().record(strategy, millis(1));
  const kept = new KeptStates();
  if (record !== undefined) kept.keep(JSON.parse(JSON.stringify(unwrap(record))) as StateRecord);
  return kept;
}

function stateOf(continuation: Continuation): object {
  if (continuation.kind === "refused") expect.unreachable(continuation.reason);
  return continuation.strategy.state;
}

const params = z.object({ window: z.number().default(10), name: z.string().optional() });
function counting(given: object = {}, more: object = {}): Strategy {
  const state = () => ({ count: 0, average: ema(5), out: null });
  return unwrap(prepareStrategy({ name: "counting", params, state, decide: () => undefined, ...more }, given));
}

describe("the state of a strategy", () => {
  it("comes back under equal parameters, whatever kind its values became", () => {
    const became = { count: 7, out: { at: 1 }, more: [1] };
    expect(stateOf(leftBy(counting(), became).continued(counting()))).toMatchObject(became);
  });

  it.each([{ window: 11 }, { name: "x" }])("is refused under %j, with the way out", (changed) => {
    expect(leftBy(counting()).continued(counting(changed))).toMatchObject({
      kind: "refused",
      wayOut: expect.stringContaining("pegbot run --fresh-state"),
    });
  });

  it("is kept whatever changes where it belongs to no parameter", () => {
    const free = { stateParams: [] };
    expect(stateOf(leftBy(counting({}, free), { count: 7 }).continued(counting({ window: 11 }, free)))).toMatchObject({
      count: 7,
    });
  });

  it.each([
    ["a field that it lacks", () => ({ count: 0, average: ema(5), out: null, spent: 0 })],
    ["a nested field that it lacks", () => ({ count: 0, average: ema(5), out: null, by: { day: 0 } })],
    ["a signal over another window", () => ({ count: 0, average: ema(6), out: null })],
  ])("is refused to a version with %s", (_, state) => {
    expect(leftBy(counting()).continued(counting({}, { state }))).toMatchObject({ kind: "refused" });
  });

  it("is refused where it cannot be read", () => {
    const kept = leftBy(counting());
    const state = { params: { window: 10 }, state: { count: 0, average: { $: "later", args: [5], is: [1] } } };
    kept.keep({ kind: "state", at: millis(1), strategy: "counting", state });
    expect(kept.continued(counting())).toMatchObject({ kind: "refused" });
  });

  it("is of no other strategy, and of none without state", () => {
    const kept = leftBy(counting(), { count: 7 });
    expect(stateOf(kept.continued(counting({}, { name: "other" })))).toMatchObject({ count: 0 });
    expect(kept.record(counting({}, { state: undefined }), millis(1))).toBeUndefined();
  });

  it("that is older than adopted trades neither continues nor starts from zero, until it is forgotten", () => {
    const kept = leftBy(counting(), { count: 7 });
    const [record] = kept.outdate(2, millis(2));
    const later = new KeptStates();
    later.keep(JSON.parse(JSON.stringify(record)) as StateRecord);
    expect(record?.state).toEqual({ params: { window: 10 } });
    for (const states of [kept, later])
      expect(states.continued(counting())).toMatchObject({ kind: "refused", reason: expect.stringContaining("(2)") });
    later.forget("counting");
    expect(stateOf(later.continued(counting()))).toMatchObject({ count: 0 });
  });
});

const TICKET = { size: 3_000, minutes: 1, slices: 6, costBpsMax: 40 };
const twap = (params: object): Strategy => unwrap(prepareBuiltIn("twap", params));

describe("a TWAP that has bought its whole size", () => {
  const done = () => leftBy(twap(TICKET), { done: 3_000 });

  it.each([{ costBpsMax: 45 }, { minutes: 5, slices: 10 }, { size: 5_000 }])("has bought it under %j", (changed) => {
    expect(stateOf(done().continued(twap({ ...TICKET, ...changed })))).toMatchObject({ done: 3_000 });
  });

  it.each([{ ticket: "2" }, { side: "sell" }, { symbol: "VEUR/EUR" }])(
    "does not begin another unasked: %j",
    (changed) => {
      expect(done().continued(twap({ ...TICKET, ...changed }))).toMatchObject({ kind: "refused" });
    },
  );
});
