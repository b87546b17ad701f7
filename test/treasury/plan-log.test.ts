// What the journal's plans add up to.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { PlanRecord } from "../../src/journal/record.ts";
import { PlanLog } from "../../src/treasury/approval/plan-log.ts";

const CHF = "CHF" as Asset;
const DAY_MS = 86_400_000;
const NOON = 20_000 * DAY_MS + DAY_MS / 2;

/** Worth 10, and begun at once. */
function begin(log: PlanLog, at: number, persons = 0): void {
  const content = JSON.stringify({ at, currency: CHF, cost: "0", steps: [{ value: "10" }] });
  const id = `R-${at}`;
  const plan: PlanRecord = {
    kind: "plan",
    at: millis(at),
    id,
    digest: "",
    content,
    expiresAt: millis(at + 1),
    persons,
    by: "bot",
  };
  log.fold({ record: plan, writer: "w" });
  log.fold({ record: { kind: "plan-progress", at: millis(at), id, state: "begun", text: "" }, writer: "w" });
}

test("all that was begun without asking on a day is remembered, however many plans that were", () => {
  const log = new PlanLog();
  const unasked = (at: number): string => String(Money.sum(log.unaskedToday(millis(at)), CHF));
  begin(log, NOON - DAY_MS);
  begin(log, NOON - 1, 1);
  for (let i = 0; i < 1_500; i++) begin(log, NOON + i);
  expect([unasked(NOON - DAY_MS), unasked(NOON), unasked(NOON + DAY_MS)]).toEqual(["10", "15000", "0"]);
});
