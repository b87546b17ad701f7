// What the journal's plans add up to.

import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { ApprovalRecord, JournalRecord, PlanProgress, PlanRecord } from "../../src/journal/record.ts";
import { type ContentStep, digestOf, stepText } from "../../src/treasury/approval/plan-content.ts";
import {
  type Approver,
  approvalRefusal,
  beginnable,
  isSignedBy,
  keyIdentity,
  type LoggedPlan,
  PlanLog,
  signDigest,
  withCounted,
} from "../../src/treasury/approval/plan-log.ts";
import { RouteBackoff } from "../../src/treasury/approval/route-backoff.ts";
import { treasuryShown } from "../../src/watch/status/submission-list.ts";

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
  expect([...log.all()]).toHaveLength(1_502);
  // The last two days are kept, and with each new plan an older one goes.
  for (const days of [1, 3]) begin(log, NOON + days * DAY_MS);
  expect([-1, 0, 1, 3].map((days) => unasked(NOON + days * DAY_MS))).toEqual(["0", "15000", "10", "10"]);
});

test("a day is one of UTC, from its first moment to its last", () => {
  const log = new PlanLog();
  const midnight = NOON - DAY_MS / 2;
  begin(log, midnight - 1);
  for (const at of [midnight, midnight + DAY_MS - 1]) begin(log, at);
  const sums = [midnight - 1, midnight, midnight + DAY_MS - 1, midnight + DAY_MS];
  expect(sums.map((at) => log.unaskedToday(millis(at)).map(String))).toEqual([["10"], ["20"], ["20"], []]);
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

test("a plan is under way from its begin to its end, and one that ended before is none to begin", () => {
  const log = new PlanLog();
  const told = (at: number, state: PlanProgress["state"]): void =>
    log.fold({ record: { kind: "plan-progress", at: millis(at), id: `R-${at}`, state, text: "" }, writer: "w" });
  propose(log, NOON);
  propose(log, NOON + 1);
  told(NOON, "withdrawn");
  expect([log.underWay(), log.notStarted().map(({ plan }) => plan.id)]).toEqual([undefined, [`R-${NOON + 1}`]]);
  told(NOON + 1, "begun");
  told(NOON + 1, "step");
  expect([log.underWay()?.plan.id, log.notStarted()]).toEqual([`R-${NOON + 1}`, []]);
  told(NOON + 1, "done");
  // What nobody proposed is nothing.
  told(NOON + 2, "begun");
  expect([log.underWay(), log.get(`R-${NOON + 2}`)]).toEqual([undefined, undefined]);
});

test("a plan that is proposed again is the one that was begun, and waits to the last moment of its time", () => {
  const log = new PlanLog();
  propose(log, NOON);
  expect([1, 2].map((ms) => log.waiting(millis(NOON + ms)).length)).toEqual([1, 0]);
  begin(log, NOON);
  propose(log, NOON);
  expect([log.get(`R-${NOON}`)?.begunBy, log.waiting(millis(NOON)).length]).toEqual(["w", 0]);
});

test("a plan that is over, or whose approval came too late, is not begun on a clock that was set back", () => {
  const log = new PlanLog();
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 1 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const approval = { kind: "approval", id: "R-1", digest: plan.digest, by: "ann", signature: undefined } as const;
  const begun = (approvedAt: number, now: number): boolean =>
    beginnable(
      { plan, approvals: [{ ...approval, at: millis(approvedAt) }], begunBy: undefined, progress: [] },
      [],
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
  expect([beginnable(known, [], at).ok, approvalRefusal(known, { ...approval, by: "bob" }, [], at)]).toEqual([
    false,
    "it has expired: a new plan is needed",
  ]);
});

test("an approval of another digest is none, neither when it is given nor when the plan is to be begun", () => {
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 1 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const known = { plan, approvals: [], begunBy: undefined, progress: [] };
  const other = { kind: "approval", at, id: "R-1", digest: "another", by: "ann", signature: undefined } as const;
  expect(approvalRefusal(known, other, [], at)).toBe("what was approved is not what was proposed");
  expect(beginnable({ ...known, approvals: [other] }, [], at)).toMatchObject({ ok: false });
  expect(approvalRefusal(known, { ...other, digest: plan.digest }, [], at)).toBeUndefined();
});

test("unused is what somebody approved and nobody began, for a day", () => {
  const log = new PlanLog();
  for (const [at, isApproved, states] of [
    [NOON, true, ["expired"]],
    [NOON + 1, false, ["expired"]],
    [NOON + 2, true, ["begun", "done"]],
  ] as const) {
    const id = propose(log, at, 1);
    const approval = { kind: "approval", at: millis(at), id, digest: "", by: "ann", signature: undefined } as const;
    if (isApproved) log.fold({ record: approval, writer: "w" });
    for (const state of states)
      log.fold({ record: { kind: "plan-progress", at: millis(at), id, state, text: "" }, writer: "w" });
  }
  const unused = (now: number): readonly string[] => log.unused(millis(now)).map(({ id }) => id);
  expect([unused(NOON + DAY_MS - 1), unused(NOON + DAY_MS)]).toEqual([[`R-${NOON}`], []]);
});

test("one key is one person, however its text is written, and a signature of anything but an approval is none", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const text = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const wrapped = `${text.slice(0, 64)}\n${text.slice(64)}\n`;
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 2 };
  const at = millis(NOON);
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const { signature } = signDigest(privateKey.export({ format: "pem", type: "pkcs8" }).toString(), plan.digest);
  const approval = { kind: "approval", at, id: "R-1", digest: plan.digest, by: "ann", signature } as const;
  const people = [
    { name: "ann", publicKey: text },
    { name: "bob", publicKey: wrapped },
  ];
  const known = { plan, approvals: [approval], begunBy: undefined, progress: [] };
  const second = { ...approval, by: "bob" };
  expect(approvalRefusal(known, second, people, at)).toBe("bob has the key of ann, who has approved it already");
  expect(beginnable({ ...known, approvals: [approval, second] }, people, at)).toMatchObject({ ok: false });
  // What stands in the journal is looked at again: a signature that is none, or is missing, counts for nobody.
  const alone = { plan: { ...plan, persons: 1, digest: digestOf({ ...terms, persons: 1 }) }, begunBy: undefined };
  for (const forged of ["", "AAAA", undefined, signature])
    expect(
      beginnable(
        { ...alone, progress: [], approvals: [{ ...approval, digest: alone.plan.digest, signature: forged }] },
        people,
        at,
      ),
    ).toMatchObject({ ok: false });
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  expect(keyIdentity(other.export({ format: "der", type: "spki" }).toString("base64"))).not.toBe(keyIdentity(text));
  const signed = (words: string): boolean =>
    isSignedBy(text, plan.digest, sign("sha256", Buffer.from(words), privateKey).toString("base64"));
  expect([signed(`pegbot approve ${plan.digest}`), signed(plan.digest)]).toEqual([true, false]);
});

test("whoever is named may approve, once, with a signature where a key is named, what is neither begun nor withdrawn", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 2 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const { signature } = signDigest(privateKey.export({ format: "pem", type: "pkcs8" }).toString(), plan.digest);
  const people = [
    { name: "ann", publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64") },
    { name: "bob", publicKey: undefined },
  ];
  const ann: ApprovalRecord = { kind: "approval", at, id: "R-1", digest: plan.digest, by: "ann", signature };
  const bob: ApprovalRecord = { ...ann, by: "bob", signature: undefined };
  const fresh: LoggedPlan = { plan, approvals: [], begunBy: undefined, progress: [] };
  const refusal = (approval: ApprovalRecord, change: Partial<LoggedPlan> = {}): string | undefined =>
    approvalRefusal({ ...fresh, ...change }, approval, people, at);
  expect([refusal(ann), refusal(bob), refusal(bob, { approvals: [ann] })]).toEqual([undefined, undefined, undefined]);
  expect(beginnable({ ...fresh, approvals: [ann, bob] }, people, at).ok).toBe(true);
  for (const approvals of [[ann], [ann, ann], [bob, bob]])
    expect(beginnable({ ...fresh, approvals }, people, at)).toMatchObject({ error: "1 of 2 people have approved it" });
  // People are told apart by their keys, and by their names where they have none.
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  const more = [
    { name: "cy", publicKey: other.export({ format: "der", type: "spki" }).toString("base64") },
    { name: "dan", publicKey: undefined },
    ...people,
    { ...(people[0] as Approver), name: "eve" },
  ];
  const again = { ...ann, by: "eve" };
  expect(approvalRefusal({ ...fresh, approvals: [ann] }, again, more, at)).toContain("eve has the key of ann");
  expect(beginnable({ ...fresh, approvals: [ann, again] }, more, at).ok).toBe(false);
  expect(beginnable({ ...fresh, approvals: [bob, { ...bob, by: "dan" }] }, more, at).ok).toBe(true);
  const withdrawn: PlanProgress = { kind: "plan-progress", at, id: "R-1", state: "withdrawn", text: "no need" };
  expect([
    approvalRefusal(undefined, ann, people, at),
    refusal({ ...ann, signature: undefined }),
    refusal({ ...ann, signature: "AAAA" }),
    refusal({ ...ann, by: "eve" }),
    refusal(ann, { approvals: [ann] }),
    refusal(ann, { begunBy: "w" }),
    refusal(ann, { progress: [withdrawn] }),
    refusal(ann, { plan: { ...plan, persons: 1 } }),
  ]).toEqual([
    "the journal knows no such plan",
    "ann approves with a signature: --key FILE",
    "the signature is not one of ann",
    "eve may not approve: treasury.approvals.people does not name them",
    "ann has approved it already",
    "it was begun before: a plan is used once",
    "it was withdrawn: no need",
    "its content is not what its digest says",
  ]);
  expect(isSignedBy("no key", plan.digest, signature)).toBe(false);
});

test("an approval under another key or name does not count, is named, and keeps nobody from approving", () => {
  const [own, other] = [1, 2].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }));
  if (own === undefined || other === undefined) throw new Error("there must be two keys");
  const at = millis(NOON);
  const terms = { content: "{}", expiresAt: millis(NOON + 100), persons: 1 };
  const plan: PlanRecord = { kind: "plan", at, id: "R-1", digest: digestOf(terms), by: "bot", ...terms };
  const signed = (pair: typeof own, by: string): ApprovalRecord => {
    const { signature } = signDigest(pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString(), plan.digest);
    return { kind: "approval", at, id: "R-1", digest: plan.digest, by, signature };
  };
  const publicKey = own.publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const people = [{ name: "anna", publicKey }];
  const approvals = [signed(other, "anna"), signed(other, "mallory")];
  const known: LoggedPlan = { plan, approvals, begunBy: undefined, progress: [] };
  expect(beginnable(known, people, at)).toEqual({
    ok: false,
    error:
      "0 of 1 people have approved it; one does not count: the signature is not one of anna; one does not count: mallory may not approve: treasury.approvals.people does not name them",
  });
  const anna = signed(own, "anna");
  expect(approvalRefusal(known, anna, people, at)).toBeUndefined();
  const agreed = { ...known, approvals: [...approvals, anna] };
  expect(beginnable(agreed, people, at).ok).toBe(true);
  expect(approvalRefusal(agreed, anna, people, at)).toBe("anna has approved it already");
  expect(withCounted(agreed, people).approvals).toEqual([anna]);
});

test("a step is read with all that decides what it costs and where money ends up", () => {
  const step = { name: "a step", quantity: "1000", takes: "1001 CHF", brings: "1000 VCHF", value: "1000" };
  const text = (via: object): string => stepText({ ...step, via } as ContentStep);
  expect(text(WAYS.order)).toBe("a step at 1, 1,001 CHF for 1,000 VCHF");
  // 10 bp of 1,000.
  expect(text(WAYS.mint)).toBe("a step, 1,001 CHF for 1,000 VCHF, its fee at most 1 CHF");
  expect(text(WAYS.rail)).toBe("a step, 1,001 CHF for 1,000 VCHF");
  expect(text({ ...WAYS.rail, to: "CH93", memo: "7" })).toBe("a step to CH93, memo 7, 1,001 CHF for 1,000 VCHF");
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

const held = (log: PlanLog, at: number): readonly string[] =>
  log.heldBack(millis(at), () => false).map(({ route, times }) => `${route.kind} ${times}`);

test("what moved nothing does not count against the day, and what may have moved does", () => {
  const log = new PlanLog();
  stopped(log, ["order", "mint", "rail"], 2, NOON);
  expect(log.unaskedToday(millis(NOON)).map(String)).toEqual(["10"]);
  stopped(log, ["order", "mint"], 0, NOON + 1);
  expect(log.unaskedToday(millis(NOON)).map(String)).toEqual(["30"]);
  // A plan that people approved was never counted: nothing is taken off for it, else more would go without asking.
  stopped(log, ["mint"], 1, NOON + 2, 1);
  expect(log.unaskedToday(millis(NOON)).map(String)).toEqual(["30"]);
});

test("a route that refused is left alone longer each time, until it lets something through", () => {
  const log = new PlanLog();
  const MINUTE = 60_000;
  stopped(log, ["mint"], 1, NOON);
  stopped(log, ["order"], 1, NOON + 1);
  stopped(log, ["rail"], 1, NOON + 2);
  expect(held(log, NOON + MINUTE)).toEqual(["order 1", "mint 1", "rail 1"]);
  // A mint of anybody since then ends it, of that coin and no other route.
  const mintedAt = (asset: string, at: number) => (one: Asset, since: number) => one === asset && at > since;
  const routes = (asset: string, at: number): readonly string[] =>
    log.heldBack(millis(NOON + MINUTE), mintedAt(asset, at)).map(({ route }) => route.kind);
  expect([routes("VCHF", NOON + 1), routes("VCHF", NOON), routes("VGBP", NOON + 1)]).toEqual([
    ["order", "rail"],
    ["order", "mint", "rail"],
    ["order", "mint", "rail"],
  ]);
  expect(log.heldBack(millis(NOON + MINUTE), () => true).map(({ route }) => route.kind)).toEqual(["order", "rail"]);
  expect(held(log, NOON + 3 * MINUTE)).toEqual(["mint 1", "rail 1"]);
  expect(held(log, NOON + 16 * MINUTE)).toEqual([]);
  stopped(log, ["mint"], 1, NOON + 16 * MINUTE);
  expect(held(log, NOON + 60 * MINUTE)).toEqual(["mint 2"]);
  // The mint would be held back for five minutes more.
  stopped(log, ["mint", "order"], 1, NOON + 70 * MINUTE);
  expect(held(log, NOON + 71 * MINUTE)).toEqual(["order 2"]);
});

test("refusals of a route make the first no no longer, and none ends its pause before the time", () => {
  const [routes, MINUTE] = [new RouteBackoff(), 60_000];
  const step = { via: WAYS.order } as ContentStep;
  for (const minute of [0, 10]) routes.refused(step, "killed", millis(NOON + minute * MINUTE));
  routes.declined([step], "anna declined it", millis(NOON + 30 * MINUTE));
  const shown = (minute: number): readonly string[] =>
    routes
      .heldBack(millis(NOON + minute * MINUTE), () => false)
      .map(({ reason, times, until }) => `${reason} ${times}, ${(until - NOON) / MINUTE}`);
  expect(shown(30)).toEqual(["anna declined it 1, 90"]);
  // Of a person's plan, which does not wait.
  routes.refused(step, "killed", millis(NOON + 31 * MINUTE));
  expect([shown(89), shown(90)]).toEqual([["anna declined it 1, 90"], []]);
  routes.refused(step, "killed", millis(NOON + 91 * MINUTE));
  expect(shown(92)).toEqual(["killed 4, 151"]);
  routes.declined([step], "anna declined it again", millis(NOON + 151 * MINUTE));
  expect(shown(151)).toEqual(["anna declined it again 2, 391"]);
  // Of two that rest it, the one that ends later says until when, whoever was the last.
  routes.refused(step, "killed", millis(NOON + 380 * MINUTE));
  expect([shown(390), shown(439), shown(440)]).toEqual([["killed 5, 440"], ["killed 5, 440"], []]);
});

test("a no after a mint that ended the longer rest of a refusal rests the mint all the same", () => {
  const [routes, HOUR] = [new RouteBackoff(), 3_600_000];
  const step = { via: WAYS.mint } as ContentStep;
  // The third time rests for four hours.
  for (const minute of [0, 1, 2]) routes.refused(step, "no papers", millis(NOON + minute));
  const mintedAt = NOON + HOUR;
  const shown = (at: number): readonly string[] =>
    routes.heldBack(millis(at), (_, since) => mintedAt >= since).map(({ reason }) => reason);
  expect(shown(mintedAt)).toEqual([]);
  routes.declined([step], "anna declined it", millis(mintedAt + 1));
  expect([shown(mintedAt + HOUR), shown(mintedAt + HOUR + 1)]).toEqual([["anna declined it"], []]);
});

test("a person's no rests each route of a plan of the bot for hours, longer each time, and of a person's plan none", () => {
  const log = new PlanLog();
  const HOUR = 3_600_000;
  const declined = (at: number, by: string): void => {
    const steps = [WAYS.order, WAYS.order, WAYS.mint].map((via) => ({ value: "10", via }));
    const content = JSON.stringify({ at, currency: CHF, cost: "0", steps });
    const end = { expiresAt: millis(at + HOUR), persons: 1, by };
    log.fold({ record: { kind: "plan", at: millis(at), id: `R-${at}`, digest: "", content, ...end }, writer: "w" });
    const no = { state: "declined", text: "too dear", by: "anna" } as const;
    log.fold({ record: { kind: "plan-progress", at: millis(at), id: `R-${at}`, ...no }, writer: "w" });
  };
  declined(NOON, "ben");
  expect([held(log, NOON), log.waiting(millis(NOON)), log.unused(millis(NOON))]).toMatchObject([
    [],
    [],
    [{ state: "declined", by: "anna" }],
  ]);
  declined(NOON + 1, "bot");
  expect(held(log, NOON + HOUR)).toEqual(["order 1", "mint 1"]);
  expect(held(log, NOON + HOUR + 1)).toEqual([]);
  declined(NOON + HOUR + 1, "bot");
  expect([held(log, NOON + 5 * HOUR), held(log, NOON + 5 * HOUR + 1)]).toEqual([["order 2", "mint 2"], []]);
});

test("a stop that came between is no refusal of its route, and moved nothing all the same", () => {
  const log = new PlanLog();
  begin(log, NOON);
  const refusal = { unmoved: 1, why: "HALTED: dinner", isStop: true } as const;
  const record = {
    kind: "plan-progress",
    at: millis(NOON),
    id: `R-${NOON}`,
    state: "stopped",
    text: "",
    refusal,
  } as const;
  log.fold({ record, writer: "w" });
  expect([held(log, NOON + 1), log.unaskedToday(millis(NOON)).map(String)]).toEqual([[], ["0"]]);
});

test("however often a route has refused, it is left alone for the longest pause", () => {
  const log = new PlanLog();
  for (let i = 0; i < 9; i++) stopped(log, ["order"], 1, NOON + i);
  expect([held(log, NOON + 8 + 3_599_999), held(log, NOON + 8 + 3_600_000)]).toEqual([["order 9"], []]);
});

test("a plan counts once however often it is said to be begun, and what was not begun or left nothing undone refused nothing", () => {
  const log = new PlanLog();
  const told = (at: number, progress: Pick<PlanProgress, "state" | "refusal">): void =>
    log.fold({ record: { kind: "plan-progress", at: millis(at), id: `R-${at}`, text: "", ...progress }, writer: "w" });
  begin(log, NOON);
  told(NOON, { state: "begun" });
  expect(log.unaskedToday(millis(NOON)).map(String)).toEqual(["10"]);
  told(NOON, { state: "stopped", refusal: { unmoved: 0, why: "nothing is left" } });
  propose(log, NOON + 1);
  told(NOON + 1, { state: "stopped", refusal: { unmoved: 1, why: "never begun" } });
  expect([log.unaskedToday(millis(NOON)).map(String), held(log, NOON + 2)]).toEqual([["10"], []]);
});

test("what was refused of a plan is shown, whichever route it was", () => {
  const last = { since: millis(1), at: millis(2), times: 2, until: millis(3), reason: "RM05: used up" };
  const refused = [
    { ...last, route: { kind: "mint", asset: "VCHF" as Asset, chain: "ETH" } },
    { ...last, route: { kind: "order", symbol: "VCHF/CHF" as PairSymbol } },
    { ...last, route: { kind: "rail", template: "bank" } },
  ] as const;
  const payments = { all: () => [], expectations: () => [] } as never;
  const treasury = { requests: () => [], payments, rails: { reason: undefined, since: undefined } };
  const executor = { get: () => undefined, treasury };
  expect(treasuryShown(executor, { waiting: [], expired: [], refused }).refused).toEqual(
    [
      { kind: "mint", what: "VCHF on ETH" },
      { kind: "order", what: "VCHF/CHF" },
      { kind: "rail", what: "bank" },
    ].map((route) => ({ ...route, since: 1, times: 2, until: 3, reason: "RM05: used up" })),
  );
});
