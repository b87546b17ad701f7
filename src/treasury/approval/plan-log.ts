// The plans in the journal: proposal, approvals, start and end. A plan starts only exactly as approved, before it
// expires, approved by enough different people, and once.

import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import type { ApprovalRecord, Entry, PlanProgress, PlanRecord } from "../../journal/record.ts";
import { contentOf, digestOf, isOwn, valueOfSteps } from "./plan-content.ts";
import { type RefusedRoute, RouteBackoff } from "./route-backoff.ts";

export type Approver = { readonly name: string; readonly publicKey?: string | undefined };

export type LoggedPlan = {
  readonly plan: PlanRecord;
  readonly approvals: readonly ApprovalRecord[];
  /** The process that started it. */
  readonly begunBy: string | undefined;
  readonly progress: readonly PlanProgress[];
};

/** Above this number the oldest plans are dropped, but none of the last two days, which the daily sum needs. */
const KEPT_MAX = 1_000;
/** Ends of a plan that never started. */
const UNUSED: ReadonlySet<PlanProgress["state"]> = new Set(["expired", "withdrawn", "declined"]);

/** Every record that the log reads contains one of these in its text. */
export const PLAN_WORDS: readonly string[] = [
  '"record":{"kind":"plan",',
  '"record":{"kind":"approval",',
  '"record":{"kind":"plan-progress",',
];

export class PlanLog {
  readonly #plans = new Map<string, LoggedPlan>();
  readonly #refused = new RouteBackoff();

  fold({ record, writer }: Pick<Entry, "record" | "writer">): void {
    if (record.kind === "plan") this.#add(record);
    else if (record.kind === "approval")
      this.#change(record.id, (known) => ({ ...known, approvals: [...known.approvals, record] }));
    else if (record.kind === "plan-progress") {
      const known = this.#plans.get(record.id);
      if (known !== undefined) this.#progressed(known, record);
      this.#change(record.id, (known) => ({
        ...known,
        progress: [...known.progress, record],
        begunBy: record.state === "begun" ? writer : known.begunBy,
      }));
    }
  }

  get(id: string): LoggedPlan | undefined {
    return this.#plans.get(id);
  }

  *all(): Iterable<LoggedPlan> {
    yield* this.#plans.values();
  }

  /** The plan that started and has not ended. */
  underWay(): LoggedPlan | undefined {
    return [...this.#plans.values()].find((one) => one.begunBy !== undefined && !isOver(one));
  }

  /** Plans that can still be approved. */
  waiting(now: Millis): readonly LoggedPlan[] {
    return this.notStarted().filter(({ plan }) => now <= plan.expiresAt);
  }

  /** Plans that have not started, expired, been withdrawn or been declined. */
  notStarted(): readonly LoggedPlan[] {
    return [...this.#plans.values()].filter((one) => one.begunBy === undefined && !isOver(one));
  }

  /** Plans of the last day that were declined, or approved but not started in time or while needed, with the reason. */
  unused(now: Millis): readonly PlanProgress[] {
    return [...this.#plans.values()].flatMap(({ progress, approvals }) =>
      progress.filter(({ state, at }) => {
        const isAnswered = state === "declined" || approvals.length > 0;
        return UNUSED.has(state) && isAnswered && now - at < DAY_MS;
      }),
    );
  }

  /**
   * The value moved without approval on this UTC day, one sum per currency. A plan that runs past midnight counts on
   * both days.
   */
  unaskedToday(now: Millis): readonly Money[] {
    const sums = new Map<Asset, Money>();
    for (const known of this.#plans.values()) {
      const { plan, begunBy, progress } = known;
      const days = [plan, ...progress].map(({ at }) => dayOf(at));
      if (plan.persons > 0 || begunBy === undefined || !days.includes(dayOf(now))) continue;
      const { steps, currency } = contentOf(plan);
      // Steps that moved nothing do not count.
      const unmoved = endOf(known)?.refusal?.unmoved ?? 0;
      const moved = valueOfSteps({ currency, steps: steps.slice(0, steps.length - unmoved) });
      sums.set(currency, sums.get(currency)?.plus(moved) ?? moved);
    }
    return [...sums.values()];
  }

  /** Routes that the bot's plans avoid now. */
  heldBack(...[now, mintedSince]: Parameters<RouteBackoff["heldBack"]>): readonly RefusedRoute[] {
    return this.#refused.heldBack(now, mintedSince);
  }

  #progressed(known: LoggedPlan, { state, refusal, at, by, text }: PlanProgress): void {
    if (isOver(known)) return;
    if (state === "declined" && isOwn(known.plan))
      this.#refused.declined(contentOf(known.plan).steps, `${by ?? "a person"} declined ${known.plan.id}: ${text}`, at);
    const { steps, isWish } = contentOf(known.plan);
    const done = state === "step" ? steps[stepsDone(known)] : undefined;
    if (done !== undefined) this.#refused.passed(done);
    // A person's plan may be refused for its own content: its wallet, its size, its template.
    if (refusal === undefined || known.begunBy === undefined || refusal.isStop === true || isWish === true) return;
    const refused = steps[steps.length - refusal.unmoved];
    if (refused !== undefined) this.#refused.refused(refused, refusal.why, at);
  }

  #add(plan: PlanRecord): void {
    // The same content is the same plan: its recorded state stays.
    if (!this.#plans.has(plan.id)) this.#plans.set(plan.id, { plan, approvals: [], begunBy: undefined, progress: [] });
    const [oldest] = this.#plans.values();
    if (this.#plans.size > KEPT_MAX && oldest !== undefined && oldest.plan.at < plan.at - 2 * DAY_MS)
      this.#plans.delete(oldest.plan.id);
  }

  #change(id: string, change: (known: LoggedPlan) => LoggedPlan): void {
    const known = this.#plans.get(id);
    if (known !== undefined) this.#plans.set(id, change(known));
  }
}

function dayOf(at: Millis): number {
  return Math.floor(at / DAY_MS);
}

function stepsDone({ progress }: LoggedPlan): number {
  return progress.filter(({ state }) => state === "step").length;
}

function isOver(known: LoggedPlan): boolean {
  return endOf(known) !== undefined;
}

function endOf({ progress }: LoggedPlan): PlanProgress | undefined {
  return progress.find(({ state }) => state === "done" || state === "stopped" || UNUSED.has(state));
}

/** The reason why this person cannot approve it now. */
export function approvalRefusal(
  known: LoggedPlan | undefined,
  approval: Pick<ApprovalRecord, "digest" | "by" | "signature">,
  people: readonly Approver[],
  now: Millis,
): string | undefined {
  const unfit = answerRefusal(known, approval.digest, "approved", now);
  if (known === undefined || unfit !== undefined) return unfit;
  const identity = identityOf(approval.by, people);
  // An approval that does not count must not block another: it may have been signed under a key or name that belongs to
  // none of these people.
  const same = countedOf(known, people).find(({ by }) => identityOf(by, people) === identity);
  if (same !== undefined)
    return same.by === approval.by
      ? `${approval.by} has approved it already`
      : `${approval.by} has the key of ${same.by}, who has approved it already`;
  return signatureProblem(approval, people, "approve");
}

/** The reason why this person cannot decline it now. Each approver may decline, and one decline is enough. */
export function declineRefusal(
  known: LoggedPlan | undefined,
  decline: Pick<ApprovalRecord, "digest" | "by" | "signature">,
  people: readonly Approver[],
  now: Millis,
): string | undefined {
  return answerRefusal(known, decline.digest, "declined", now) ?? signatureProblem(decline, people, "decline");
}

/** The reason why it can be neither approved nor declined. */
function answerRefusal(
  known: LoggedPlan | undefined,
  digest: string,
  said: "approved" | "declined",
  now: Millis,
): string | undefined {
  if (known === undefined) return "the journal knows no such plan";
  const isOther = digest !== known.plan.digest;
  return whyStale(known, now) ?? (isOther ? `what was ${said} is not what was proposed` : undefined);
}

function signatureProblem(
  { by, digest, signature }: Pick<ApprovalRecord, "digest" | "by" | "signature">,
  people: readonly Approver[],
  answer: PlanAnswer,
): string | undefined {
  if (people.length === 0) return undefined;
  const person = people.find(({ name }) => name === by);
  if (person === undefined) return `${by} may not ${answer}: treasury.approvals.people does not name them`;
  if (person.publicKey === undefined) return undefined;
  if (signature === undefined) return `${by} ${answer}s with a signature: --key FILE`;
  return isSignedBy(person.publicKey, digest, signature, answer) ? undefined : `the signature is not one of ${by}`;
}

/** Returns the plan if it may start now; every approval is checked again. */
export function beginnable(known: LoggedPlan, people: readonly Approver[], now: Millis): Result<PlanRecord> {
  const { plan } = known;
  const stale = whyStale(known, now);
  if (stale !== undefined) return err(stale);
  const persons = new Set(countedOf(known, people).map(({ by }) => identityOf(by, people))).size;
  if (persons >= plan.persons) return ok(plan);
  const others = uncounted(known, people).map((why) => `; one does not count: ${why}`);
  return err(`${persons} of ${plan.persons} people have approved it${others.join("")}`);
}

/** The plan with only those approvals that count with these people. */
export function withCounted(known: LoggedPlan, people: readonly Approver[]): LoggedPlan {
  return { ...known, approvals: countedOf(known, people) };
}

function countedOf({ plan, approvals }: LoggedPlan, people: readonly Approver[]): readonly ApprovalRecord[] {
  return approvals.filter((one) => whyUncounted(one, plan, people) === undefined);
}

/** Why given approvals do not count with these people. */
export function uncounted({ plan, approvals }: LoggedPlan, people: readonly Approver[]): readonly string[] {
  return approvals.flatMap((one) => whyUncounted(one, plan, people) ?? []);
}

function whyUncounted(approval: ApprovalRecord, plan: PlanRecord, people: readonly Approver[]): string | undefined {
  if (approval.digest !== plan.digest) return `${approval.by} approved something else`;
  if (approval.at > plan.expiresAt) return `${approval.by} approved it after it had expired`;
  return signatureProblem(approval, people, "approve");
}

/** One key is one person, whatever the name. */
function identityOf(name: string, people: readonly Approver[]): string {
  const { publicKey } = people.find((one) => one.name === name) ?? { publicKey: undefined };
  return publicKey === undefined ? `name ${name}` : `key ${keyIdentity(publicKey)}`;
}

function whyStale(known: LoggedPlan, now: Millis): string | undefined {
  const { plan, begunBy } = known;
  if (digestOf(plan) !== plan.digest) return "its content is not what its digest says";
  if (begunBy !== undefined) return "it was begun before: a plan is used once";
  const withdrawn = known.progress.find(({ state }) => state === "withdrawn");
  if (withdrawn !== undefined) return `it was withdrawn: ${withdrawn.text}`;
  const declined = known.progress.find(({ state }) => state === "declined");
  if (declined !== undefined) return `it was declined by ${declined.by}: ${declined.text}`;
  // A clock that was set back does not revive a plan that was recorded as over.
  return now > plan.expiresAt || isOver(known) ? "it has expired: a new plan is needed" : undefined;
}

/** A person's answer to a plan; a signature for one answer is not valid for the other. */
export type PlanAnswer = "approve" | "decline";

/** Signs with a private key in PEM. */
export function signDigest(
  pem: string,
  digest: string,
  answer: PlanAnswer = "approve",
): { readonly signature: string; readonly publicKey: string } {
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
  return { signature: sign("sha256", textOf(digest, answer), key).toString("base64"), publicKey };
}

export function isSignedBy(
  publicKey: string,
  digest: string,
  signature: string,
  answer: PlanAnswer = "approve",
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return verify("sha256", textOf(digest, answer), key, Buffer.from(signature, "base64"));
  } catch {
    // An unreadable key, or one of a different algorithm, verifies no signature.
    return false;
  }
}

/** Identifies the key itself, however its text is encoded; an unreadable key is identified by its text. */
export function keyIdentity(publicKey: string): string {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return JSON.stringify(key.export({ format: "jwk" }));
  } catch {
    return publicKey;
  }
}

/** Prefixed, so that a signature made over the bare digest elsewhere is not valid here. */
function textOf(digest: string, answer: PlanAnswer): Buffer {
  return Buffer.from(`pegbot ${answer} ${digest}`);
}
