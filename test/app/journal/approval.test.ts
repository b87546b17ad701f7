// Approvals over the running bot's API, in a real journal: the same as with `approve`, and a token is one person.

import { describe, expect, onTestFinished, test } from "vitest";
import { waitingPlans } from "../../../src/app/bot/serve-bot.ts";
import { answers } from "../../../src/app/journal/approval.ts";
import { openKillFile } from "../../../src/app/kill-switch/kill-file.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import type { ApprovalRecord, JournalRecord, PlanRecord } from "../../../src/journal/record.ts";
import { digestOf } from "../../../src/treasury/approval/plan-content.ts";
import { type Approver, beginnable, PlanLog } from "../../../src/treasury/approval/plan-log.ts";
import type { HoldingChange, HoldingName } from "../../../src/treasury/plan/holding.ts";
import { startServer } from "../../../src/watch/dashboard/server.ts";
import { journalAt, temporaryPath } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { askAt, authorised, partsWith } from "../../watch/dashboard/stage.ts";

const shell = recordedShell();
const at = shell.clock.now();

function planOf(persons: number, expiresAt: Millis = millis(at + 60_000)): PlanRecord {
  const content = JSON.stringify({ at, currency: "CHF", cost: "2.5", steps: [] });
  const digest = digestOf({ content, expiresAt, persons });
  return { kind: "plan", at, id: `R-${digest.slice(0, 10)}`, digest, content, expiresAt, persons, by: "bot" };
}

const vchf = (amount: string): Money => Money.of(amount, "VCHF" as Asset);
const HOLDING: HoldingChange = {
  state: { holding: "VCHF" as HoldingName, available: vchf("100"), bound: vchf("0"), inFlight: [] },
  ...{ holding: "VCHF" as HoldingName, band: { holding: "VCHF" as HoldingName, low: vchf("200"), high: undefined } },
  ...{ before: vchf("100"), after: vchf("250"), missingBefore: vchf("100"), missingAfter: vchf("0") },
};

const names = (...given: string[]): Approver[] => given.map((name) => ({ name }));

/** A running bot's journal with this plan, and the counter of its API. */
async function stage(
  plan: PlanRecord,
  { people = [], person = "anna" }: { people?: readonly Approver[]; person?: string | null } = {},
  more: readonly JournalRecord[] = [],
) {
  const path = temporaryPath();
  const journal = journalAt(path);
  onTestFinished(() => journal.close());
  await journal.append([{ kind: "started", at, codeVersion: "0.1.0", configDigest: "d" }, plan, ...more]);
  const killFile = openKillFile(path);
  const { id, digest } = plan;
  /** With a token of this person. */
  const as = (holder: string | undefined) => {
    const { approve, decline } = answers(shell, { path, people, person: holder });
    return {
      approve: (by: string, change: Partial<ApprovalRecord> = {}) => approve({ id, digest, by, ...change }),
      decline: (by: string, change: Partial<ApprovalRecord> = {}) =>
        decline({ id, digest, by, reason: "too dear", ...change }),
      counter: approve,
    };
  };
  return {
    journal,
    killFile,
    as,
    ...as(person ?? undefined),
    journaled: () => unwrap(journal.read(0, 100)).flatMap(({ record }) => (record.kind === "approval" ? [record] : [])),
  };
}

describe("over the API", () => {
  test("an approval is journaled where the running bot hears of it, and enough of them make the plan ready", async () => {
    const plan = planOf(1);
    const { approve, journal, journaled } = await stage(plan);
    expect(await approve("anna")).toMatchObject({ ok: true, value: { by: "anna", ready: true } });
    expect(journaled()).toEqual([{ kind: "approval", at, id: plan.id, digest: plan.digest, by: "anna" }]);
    const bot = new PlanLog();
    bot.fold({ record: plan, writer: "bot" });
    for (const entry of unwrap(journal.news())) bot.fold(entry);
    expect(beginnable(bot.get(plan.id) as never, [], at).ok).toBe(true);
  });

  test("a plan that is on record as expired is approved by nobody, also where the clock was set back since", async () => {
    const plan = planOf(1);
    const expired = { kind: "plan-progress", at, id: plan.id, state: "expired", text: "nobody began it" } as const;
    const { approve, journaled } = await stage(plan, {}, [expired]);
    expect(await approve("anna")).toMatchObject({ ok: false, error: expect.stringContaining("it has expired") });
    expect(journaled()).toEqual([]);
  });

  test("nobody approves twice, also not side by side", async () => {
    const { approve, journaled } = await stage(planOf(2), { people: names("anna", "ben") });
    const both = await Promise.all([approve("anna"), approve("anna")]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(both).toContainEqual({ ok: false, error: "anna has approved it already; nothing was changed" });
    expect(journaled()).toHaveLength(1);
  });

  test("who holds the token is one person, whatever name is sent; a token of another name is another", async () => {
    const people = names("anna", "ben");
    const { approve, journaled, as } = await stage(planOf(2), { people });
    expect(await approve("anna")).toMatchObject({ ok: true, value: { ready: false } });
    expect(await approve("ben")).toEqual({
      ok: false,
      error: expect.stringContaining("the token proves only that this is anna: ben needs a token of that name"),
    });
    expect(await as("ben").approve("ben")).toMatchObject({ ok: true, value: { ready: true } });
    expect(journaled().map(({ by }) => by)).toEqual(["anna", "ben"]);
  });

  test("where other machines may hold the token it is nobody's name", async () => {
    const { approve, journaled } = await stage(planOf(1), { person: null });
    expect(await approve("anna")).toMatchObject({ ok: false, error: expect.stringContaining("proves nobody's name") });
    expect(journaled()).toEqual([]);
  });

  test("what was not seen, is not known, has expired or was begun is refused, and so is a stranger", async () => {
    const plan = planOf(1);
    const { approve, journaled } = await stage(plan);
    expect(await approve("anna", { digest: "ab".repeat(32) })).toMatchObject({
      error: "what was answered is not what was proposed; nothing was changed",
    });
    expect(await approve("anna", { id: "R-0" })).toMatchObject({ error: expect.stringContaining("no such plan") });
    expect(journaled()).toEqual([]);
    const late = await stage(planOf(1, millis(at - 1)));
    expect(await late.approve("anna")).toMatchObject({ error: expect.stringContaining("it has expired") });
    const used = await stage(plan, {}, [{ kind: "plan-progress", at, id: plan.id, state: "begun", text: "" }]);
    expect(await used.approve("anna")).toMatchObject({ error: expect.stringContaining("used once") });
    const strange = await stage(plan, { people: names("ben") });
    expect(await strange.approve("anna")).toMatchObject({ error: expect.stringContaining("anna may not answer") });
    expect([...late.journaled(), ...used.journaled(), ...strange.journaled()]).toEqual([]);
  });

  test("a plan that somebody declined, with a reason, is over for everybody, also where it was approved before", async () => {
    const plan = planOf(2);
    const { approve, decline, journal } = await stage(plan, { people: names("anna", "ben") });
    expect(await approve("anna")).toMatchObject({ ok: true });
    expect(await decline("anna")).toMatchObject({ ok: true, value: { by: "anna" } });
    expect(unwrap(journal.read(0, 100)).at(-1)?.record).toEqual({
      ...{ kind: "plan-progress", at, id: plan.id, state: "declined", text: "too dear", by: "anna" },
    });
    const over = { ok: false, error: "it was declined by anna: too dear; nothing was changed" };
    expect([await approve("anna"), await decline("anna")]).toEqual([over, over]);
    const bot = new PlanLog();
    bot.fold({ record: plan, writer: "bot" });
    for (const entry of unwrap(journal.news())) bot.fold(entry);
    expect([bot.waiting(at), bot.unused(at)]).toMatchObject([[], [{ id: plan.id, by: "anna", text: "too dear" }]]);
  });

  test("whoever declines proves a name as for an approval, and is heard while the bot is stopped", async () => {
    const { decline, killFile, as } = await stage(planOf(1), { people: names("ben") });
    unwrap(killFile.write("fat finger", "anna"));
    expect(await decline("eve")).toMatchObject({ error: expect.stringContaining("the token proves only") });
    expect(await decline("anna")).toMatchObject({ error: expect.stringContaining("anna may not answer") });
    const ben = as("ben");
    expect(await ben.decline("ben", { digest: "ab".repeat(32) })).toMatchObject({
      error: expect.stringContaining("what was answered is not what was proposed"),
    });
    expect(await ben.decline("ben")).toMatchObject({ ok: true, value: { by: "ben" } });
  });

  test("nothing is approved while the bot is stopped", async () => {
    const { approve, killFile, journaled } = await stage(planOf(1));
    killFile.write("fat finger", "anna");
    expect(await approve("anna")).toMatchObject({ error: expect.stringContaining("HALTED by anna: fat finger") });
    expect(journaled()).toEqual([]);
  });

  test("a plan is seen, approved as it was seen, and the approval is seen", async () => {
    const plan = planOf(1);
    const { journal, counter } = await stage(plan);
    const plans = waitingPlans(
      journal,
      () => at,
      () => [HOLDING],
    );
    const server = await startServer(partsWith({ approve: counter, plans }));
    onTestFinished(() => server.close());
    const shown = async () => JSON.parse((await askAt(server.port, "/api/plans", { headers: authorised })).text).plans;
    const [{ id, digest, content, expiresAt, persons, holdings }] = await shown();
    expect(digestOf({ content, expiresAt, persons })).toBe(digest);
    expect(holdings).toEqual([
      { holding: "VCHF", now: "100", after: "250", low: "200", missingNow: "100", missingAfter: "0" },
    ]);
    const body = JSON.stringify({ id, digest, by: "anna", confirm: "approve" });
    const ask = () => askAt(server.port, "/api/approve", { method: "POST", headers: authorised, body });
    expect((await askAt(server.port, "/api/approve", { method: "POST", body })).status).toBe(401);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(409);
    expect(await shown()).toMatchObject([{ id: plan.id, approvals: [{ by: "anna", at }] }]);
  });
});

describe("plans that wait", () => {
  test("count an approval once however many ask, and are gone when they expire or are begun", async () => {
    const plan = planOf(2);
    const { journal, approve } = await stage(plan, { people: names("anna", "ben") });
    let now = at;
    const plans = waitingPlans(
      journal,
      () => now,
      () => [],
    );
    await approve("anna");
    for (const list of await Promise.all([plans(), plans(), plans()]))
      expect(unwrap(list)).toMatchObject([{ id: plan.id, persons: 2, approvals: [{ by: "anna" }] }]);
    expect(unwrap(await plans())[0]?.approvals).toHaveLength(1);
    now = millis(plan.expiresAt + 1);
    expect(unwrap(await plans())).toEqual([]);
    now = at;
    await journal.append([{ kind: "plan-progress", at, id: plan.id, state: "begun", text: "" }]);
    expect(unwrap(await plans())).toEqual([]);
  });
});
