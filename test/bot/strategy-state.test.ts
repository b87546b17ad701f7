// What another version kept of a strategy: it fits, or the strategy starts fresh and a reason says so. It never ends a start.

import { expect, test } from "vitest";
import { KeptStates } from "../../src/bot/strategy-state.ts";
import { millis } from "../../src/domain/time.ts";
import type { StateRecord } from "../../src/journal/record.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { saveState } from "../../src/strategy/state.ts";
import { ema, sma } from "../../src/strategy/strategy.ts";

const fresh = () => ({ average: ema(20), count: 1, list: [sma(3)] });
const strategy = (): Strategy => ({ name: "x", params: {}, state: fresh() }) as unknown as Strategy;
const record = (state: unknown): StateRecord => ({ kind: "state", at: millis(1), strategy: "x", state });

function noteOf(state: unknown): string {
  const kept = new KeptStates();
  kept.keep(record(state));
  return kept.continued(strategy()).seating.text;
}

const saved = saveState(fresh());
const good = saved.ok ? (saved.value as object) : {};

test("a state that fits is continued, also with more in it than this version of the strategy knows", () => {
  expect(noteOf({ params: {}, state: good })).toMatch(/continues from its last safe point/);
  expect(noteOf({ params: {}, state: { ...good, later: 1 }, more: 2 })).toMatch(/continues from its last safe point/);
});

test.each([null, 7, "text", [], {}, { state: good }])(
  "one that was kept in another way is not loaded, with the reason: %j",
  (state) => {
    expect(noteOf(state)).toMatch(
      /^strategy x starts fresh .*, because another version kept its last state in another way$/,
    );
  },
);

test.each([
  null,
  [],
  { ...good, average: { $: "later", args: [20], is: [1] } },
  { ...good, average: { $: "ema", args: ["x"], is: ["y"] } },
  { ...good, average: { $: "ema", args: [20], is: [{}] } },
  { ...good, list: [7] },
])("a state that this version cannot read starts it fresh, with the reason: %j", (state) => {
  expect(noteOf({ params: {}, state })).toMatch(/^strategy x starts fresh .*, because its last state does not fit: ./);
});
