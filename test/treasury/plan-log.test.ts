// What the journal's plans add up to.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { ApprovalRecord, JournalRecord, PlanProgress, PlanRecord } from "../../src/journal/record.ts";
import { digestOf } from "../../src/treasury/approval/plan-content.ts";
import {
  approvalRefusal,
  beginnable,
  type LoggedPlan,
  PlanLog,
  withCounted,
} from "../../src/treasury/approval/plan-log.ts";

const CHF = "CHF" as Asset;
const DAY_MS = 86_400_000;
const NOON = 20_000 * DAY_MS + DAY_MS / 2;

const WAYS = {
  order: { kind: "order", symbol: "VCHF/CHF", side: "buy", limit: "1" },
  mint: { kind: "mint", asset: "VCHF", chain: "ETH", feeBpsMax: 10 },
  rail: { kind: "off-ramp", template: "out", asset: "VCHF" },
} as const;

/** Worth 10. */
function propose(
  log: PlanLog,
  at: number,
  persons = 0,
  steps: readonly object[] = [{ value: "10", via: WAYS.order }],
): string {
  const content = JSON.stringify({ at, currency: CHF, cost: "0", steps });
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
  return id;
}

function begin(log: PlanLog, at: number, persons = 0): void {
  const id = propose(log, at, persons);
  log.fold({ record: { kind: "plan-progress", at: millis(at), id, state: "begun", text: "" }, writer: "w" });
}

test("all that was begun without asking on a day is remembered, however many plans that were", () => {
  const log = new PlanLog();
  const unasked = (at: number): string => String(Money.sum(log.unaskedToday(millis(at)), CHF));
  begin(log, NOON - DAY_MS);
  begin(log, NOON - 1, 1);
  for (let i = 0; i < 1_500; i++) begin(log, NOON + i);
  expect([unasked(NOON - DAY_MS), unasked(NOON), unasked(NOON + DAY_MS)]).toEqual(["10", "15000", "0"]);
  // The last two days are kept, and with each new plan an older one goes.
  for (const days of [1, 3]) begin(log, NOON + days * DAY_MS);
  expect([-1, 0, 1, 3].map((days) => unasked(NOON + days * DAY_MS))).toEqual(["0", "15000", "10", "10"]);
});

test("a plan that runs past midnight counts on both days, without the steps that moved nothing", () => {
  const midnight = NOON + DAY_MS / 2;
  const later = (...progress: readonly Partial<PlanProgress>[]): readonly string[] => {
    const log = new PlanLog();
    const steps = ["10", "20", "30"].map((value) => ({ value, via: WAYS.order }));
    const id = propose(log, midnight - 2, 0, steps);
    const said = [{ state: "begun" } as const, { state: "step" } as const].map((one) => ({ ...one, at: midnight - 1 }));
    for (const one of [...said, ...progress.map((one) => ({ at: midnight, ...one }))])
      log.fold({ record: { kind: "plan-progress", id, text: "", ...one } as PlanProgress, writer: "w" });
    return [midnight - 1, midnight].map((at) => String(Money.sum(log.unaskedToday(millis(at)), CHF)));
  };
  expect(later({ state: "step" }, { state: "step" }, { state: "done" })).toEqual(["60", "60"]);
  // Its process ended in the second step, which may have moved.
  expect(later({ state: "stopped" })).toEqual(["60", "60"]);
  const refused = (unmoved: number) => ({ kind: "order", what: "VCHF/CHF", why: "no", unmoved }) as const;
  expect(later({ state: "stopped", refusal: refused(2) as never })).toEqual(["10", "10"]);
  expect(later({ state: "step" }, { state: "stopped", refusal: refused(1) as never })).toEqual(["30", "30"]);
});

test("a plan that is over, or whose approval came too late, is not begun on a clock that was set back", () => {
  const log = new PlanLog();
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 1 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const approval = { kind: "approval", id: "R-1", digest: plan.digest, by: "ann" } as const;
  const begun = (approvedAt: number, now: number): boolean =>
    beginnable(
      { plan, approvals: [{ ...approval, at: millis(approvedAt) }], begunBy: undefined, progress: [] },
      { people: [], persons: 1 },
      millis(now),
    ).ok;
  expect([begun(NOON + 100, NOON + 100), begun(NOON + 101, NOON), begun(NOON, NOON + 101)]).toEqual([
    true,
    false,
    false,
  ]);
  log.fold({ record: plan, writer: "w" });
  log.fold({ record: { ...approval, at }, writer: "w" });
  log.fold({ record: { kind: "plan-progress", at, id: "R-1", state: "expired", text: "" }, writer: "w" });
  const known = log.get("R-1") as LoggedPlan;
  expect([
    beginnable(known, { people: [], persons: 1 }, at).ok,
    approvalRefusal(known, { ...approval, by: "bob" }, [], at),
  ]).toEqual([false, "it has expired: a new plan is needed"]);
});

test("an approval of another digest is none, neither when it is given nor when the plan is to be begun", () => {
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 1 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const known = { plan, approvals: [], begunBy: undefined, progress: [] };
  const other = { kind: "approval", at, id: "R-1", digest: "another", by: "ann" } as const;
  expect(approvalRefusal(known, other, [], at)).toBe("what was answered is not what was proposed");
  expect(beginnable({ ...known, approvals: [other] }, { people: [], persons: 1 }, at)).toMatchObject({ ok: false });
  expect(approvalRefusal(known, { ...other, digest: plan.digest }, [], at)).toBeUndefined();
});

/** Steps worth 10 each; as many of the last as are named moved nothing. */
function stopped(log: PlanLog, ways: readonly (keyof typeof WAYS)[], unmoved: number, at: number, persons = 0): void {
  const steps = ways.map((kind) => ({ value: "10", via: WAYS[kind] }));
  const content = JSON.stringify({ at, currency: CHF, cost: "0", steps });
  const plan = { kind: "plan", at: millis(at), id: `R-${at}`, digest: "", content, expiresAt: millis(at + 1) } as const;
  const progress = { kind: "plan-progress", at: millis(at), id: plan.id, text: "" } as const;
  const records: JournalRecord[] = [
    { ...plan, persons, by: "bot" },
    { ...progress, state: "begun" },
    ...ways.slice(0, ways.length - unmoved).map(() => ({ ...progress, state: "step" }) as const),
    { ...progress, state: "stopped", refusal: unmoved === 0 ? undefined : { unmoved, why: "RM04" } },
    // A second word about what is over changes nothing.
    { ...progress, state: "stopped", refusal: { unmoved: 1, why: "again" } },
  ];
  for (const record of records) log.fold({ record, writer: "w" });
}

test("a named person approves once, what is neither begun nor withdrawn; another does not count and keeps nobody from approving", () => {
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 2 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const people = [{ name: "ann" }, { name: "bob" }];
  const by = (name: string): ApprovalRecord => ({ kind: "approval", at, id: "R-1", digest: plan.digest, by: name });
  const fresh: LoggedPlan = { plan, approvals: [], begunBy: undefined, progress: [] };
  const refusal = (name: string, change: Partial<LoggedPlan> = {}): string | undefined =>
    approvalRefusal({ ...fresh, ...change }, by(name), people, at);
  expect([refusal("ann"), refusal("bob", { approvals: [by("ann"), by("eve")] })]).toEqual([undefined, undefined]);
  const withdrawn: PlanProgress = { kind: "plan-progress", at, id: "R-1", state: "withdrawn", text: "no need" };
  expect([
    approvalRefusal(undefined, by("ann"), people, at),
    refusal("eve"),
    refusal("ann", { approvals: [by("ann")] }),
    refusal("ann", { begunBy: "w" }),
    refusal("ann", { progress: [withdrawn] }),
    refusal("ann", { plan: { ...plan, persons: 1 } }),
  ]).toEqual([
    "the journal knows no such plan",
    "eve may not answer: treasury.approvals.people does not name them",
    "ann has approved it already",
    "it was begun before: a plan is used once",
    "it was withdrawn: no need",
    "its content is not what its digest says",
  ]);
  const isBegun = (...names: readonly string[]): boolean =>
    beginnable({ ...fresh, approvals: names.map(by) }, { people, persons: 1 }, at).ok;
  expect([isBegun("ann", "bob"), isBegun("ann"), isBegun("ann", "ann"), isBegun("ann", "eve")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(withCounted({ ...fresh, approvals: [by("eve"), by("bob")] }, people).approvals).toEqual([by("bob")]);
});

test("after a refused step the bot rests: five minutes for an order, an hour for a mint or a rail; not after a stop or its own doubt", () => {
  const MINUTE = 60_000;
  const restMs = (ways: readonly (keyof typeof WAYS)[], unmoved: number, persons = 0): number | undefined => {
    const log = new PlanLog();
    stopped(log, ways, unmoved, NOON, persons);
    const rest = log.rest(millis(NOON));
    // It ends by itself.
    if (rest !== undefined) expect(log.rest(rest.until)).toBeUndefined();
    return rest && rest.until - NOON;
  };
  expect([restMs(["order"], 1), restMs(["mint"], 1), restMs(["order", "rail"], 1)]).toEqual([
    5 * MINUTE,
    60 * MINUTE,
    60 * MINUTE,
  ]);
  expect(restMs(["order"], 0)).toBeUndefined();
});
