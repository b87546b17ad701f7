// What the journal's plans add up to.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { ApprovalRecord, JournalRecord, PlanProgress, PlanRecord } from "../../src/journal/record.ts";
import { digestOf, linesOf } from "../../src/treasury/approval/plan-content.ts";
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

test("a plan that runs past midnight counts on both days: what it planned while it lasts, then what it moved or may have", () => {
  const midnight = NOON + DAY_MS / 2;
  const later = (...progress: readonly Partial<PlanProgress>[]): readonly string[] => {
    const log = new PlanLog();
    const id = propose(log, midnight - 2, 0, [{ value: "60", via: WAYS.order }]);
    for (const one of [
      { state: "begun" as const, at: midnight - 1 },
      ...progress.map((one) => ({ at: midnight, ...one })),
    ])
      log.fold({ record: { kind: "plan-progress", id, text: "", ...one } as PlanProgress, writer: "w" });
    return [midnight - 1, midnight].map((at) => String(Money.sum(log.unaskedToday(millis(at)), CHF)));
  };
  const of = (request: string, amount: string) => {
    const [value, lost] = [Money.of(amount, CHF), Money.zero(CHF)];
    return { request, route: "buy VCHF/CHF", takes: `${amount} CHF`, brings: `${amount} VCHF`, value, lost };
  };
  const sent = { state: "sent", move: of("T-1", "20") } as const;
  expect(later(sent, { state: "step", move: of("T-1", "20") })).toEqual(["60", "60"]);
  expect(later(sent, { state: "step", move: of("T-1", "20") }, { state: "stopped" })).toEqual(["20", "20"]);
  // What became of it is in no record.
  expect(later(sent, { state: "stopped" })).toEqual(["20", "20"]);
  expect(later(sent, { state: "step", move: of("T-1", "0") }, { state: "stopped" })).toEqual(["0", "0"]);
});

test("a conversion counts in full on every day that it lasts, also what its first steps do not show", () => {
  const log = new PlanLog();
  const content = { at: NOON, currency: CHF, cost: "0", steps: [{ value: "10" }], conversion: {}, value: "90" };
  const plan = { kind: "plan", at: millis(NOON), id: "R-1", digest: "", content: JSON.stringify(content) } as const;
  const unasked = () => [0, 1, 2].map((days) => log.unaskedToday(millis(NOON + days * DAY_MS)).map(String));
  const tell = (days: number, state: PlanProgress["state"]) =>
    log.fold({
      record: { kind: "plan-progress", at: millis(NOON + days * DAY_MS), id: "R-1", state, text: "" },
      writer: "w",
    });
  log.fold({ record: { ...plan, expiresAt: millis(NOON + DAY_MS), persons: 0, by: "bot" }, writer: "w" });
  tell(0, "begun");
  expect(unasked()).toEqual([["90"], ["90"], ["90"]]);
  tell(1, "done");
  expect(unasked()).toEqual([["0"], ["0"], []]);
});

test("the bot rests for an hour after a person declined a plan of its own, or finished its conversion", () => {
  for (const state of ["declined", "finished", "paused"] as const) {
    const log = new PlanLog();
    begin(log, NOON);
    log.fold({ record: { kind: "plan-progress", at: millis(NOON), id: `R-${NOON}`, state, text: "no" }, writer: "w" });
    const until = [0, 3_600_000].map((after) => log.rest(millis(NOON + after))?.until);
    expect(until).toEqual([state === "paused" ? undefined : NOON + 3_600_000, undefined]);
  }
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

test("what an earlier version planned is not begun: several steps, or a conversion that names no rails", () => {
  const at = millis(NOON);
  const begun = (content: object): boolean => {
    const terms = { content: JSON.stringify(content), expiresAt: millis(NOON + 100), persons: 1 };
    const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
    const approval = { kind: "approval", at, id: "R-1", digest: plan.digest, by: "ann" } as const;
    const known = { plan, approvals: [approval], begunBy: undefined, progress: [] };
    return beginnable(known, { people: [], persons: 1 }, at).ok;
  };
  const conversion = { from: "VCHF", to: "CHF", amount: "5", leavesMax: "5", by: NOON, costBpsMax: 1 };
  const step = { name: "mint VCHF on ETH" };
  expect([
    begun({ steps: [step] }),
    begun({ steps: [step, step] }),
    begun({ steps: [step, step], conversion: { ...conversion, rails: [] } }),
    begun({ steps: [step], conversion }),
  ]).toEqual([true, false, true, false]);
  const content = JSON.stringify({ steps: [], conversion });
  expect(linesOf({ content })[0]).toMatch(/^convert 5 VCHF to CHF/);
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

/** A conversion of ten by each route, of which the last moved nothing, as many as are named. */
function stopped(log: PlanLog, routes: readonly string[], unmoved: number, at: number, persons = 0): void {
  const steps = routes.map((name) => ({ value: "10", name }));
  const content = JSON.stringify({ at, currency: CHF, cost: "0", steps });
  const plan = { kind: "plan", at: millis(at), id: `R-${at}`, digest: "", content, expiresAt: millis(at + 1) } as const;
  const progress = { kind: "plan-progress", at: millis(at), id: plan.id, text: "" } as const;
  const moves = routes.map((route, i) => {
    const amount = i < routes.length - unmoved ? "10" : "0";
    const value = Money.of(amount, CHF);
    return { request: `T-${i}`, route, takes: `${amount} CHF`, brings: `${amount} VCHF`, value, lost: Money.zero(CHF) };
  });
  const records: JournalRecord[] = [
    { ...plan, persons, by: "bot" },
    { ...progress, state: "begun" },
    ...moves.flatMap((move) => [
      { ...progress, state: "sent", move: { ...move, value: Money.of("10", CHF) } } as const,
      { ...progress, state: "step", text: "what became of it", move } as const,
    ]),
    { ...progress, state: "stopped" },
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

test("a route whose request moved nothing is left alone for an hour, in the plans of all or of one", () => {
  const log = new PlanLog();
  stopped(log, ["buy VCHF/CHF", "mint VCHF on ETH"], 1, NOON);
  const names = (after: number, by?: string) => [...log.refused(millis(NOON + after), by).keys()];
  const HOUR = 3_600_000;
  expect([names(0), names(HOUR - 1), names(HOUR)]).toEqual([["mint VCHF on ETH"], ["mint VCHF on ETH"], []]);
  expect([names(0, `R-${NOON}`).length, names(0, "R-2")]).toEqual([1, []]);
});
