// The plans in the journal: proposal, approvals, start and end. A plan starts only exactly as approved, before it
// expires, approved by enough different people, and once.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import type { ApprovalRecord, Entry, PlanMove, PlanProgress, PlanRecord } from "../../journal/record.ts";
import { assetOf, type HoldingName } from "../plan/holding.ts";
import { contentOf, digestOf, isEarlier, isOwn, valueOfSteps } from "./plan-content.ts";

export type Approver = { readonly name: string };

export type LoggedPlan = {
  readonly plan: PlanRecord;
  readonly approvals: readonly ApprovalRecord[];
  /** The process that started it. */
  readonly begunBy: string | undefined;
  readonly progress: readonly PlanProgress[];
};

/** Why the bot makes no plan of its own until then. */
export type Rest = { readonly until: Millis; readonly why: string };

/** Above this number the oldest plans are dropped, but none of the last two days, which the daily sum needs. */
const KEPT_MAX = 1_000;
/** Ends of a plan that never started. */
const UNUSED: ReadonlySet<PlanProgress["state"]> = new Set(["expired", "withdrawn", "declined"]);

/** After a no; and what a mint or a rail lacks is rarely there within minutes. */
const REST_MS = 3_600_000;

export class PlanLog {
  readonly #plans = new Map<string, LoggedPlan>();
  /** Of standing instructions, also of plans that are dropped. */
  readonly #slots = new Set<string>();
  readonly #keptMax: number;

  constructor(keptMax = KEPT_MAX) {
    this.#keptMax = keptMax;
  }

  fold({ record, writer }: Pick<Entry, "record" | "writer">): void {
    if (record.kind === "plan") this.#add(record);
    else if (record.kind === "approval")
      this.#change(record.id, (known) => ({ ...known, approvals: [...known.approvals, record] }));
    else if (record.kind === "plan-progress")
      this.#change(record.id, (known) => ({
        ...known,
        progress: [...known.progress, record],
        begunBy: record.state === "begun" ? writer : known.begunBy,
      }));
  }

  all(): readonly LoggedPlan[] {
    return [...this.#plans.values()];
  }

  get(id: string): LoggedPlan | undefined {
    return this.#plans.get(id);
  }

  hasSlot(slot: string): boolean {
    return this.#slots.has(slot);
  }

  /** A conversion between these two that waits or is under way. */
  between(from: HoldingName, to: HoldingName, at: Millis): LoggedPlan | undefined {
    return [...this.conversions(), ...this.waiting(at)].find(({ plan }) => {
      const { conversion: one } = contentOf(plan);
      return one !== undefined && [one.from, one.to].includes(from) && [one.from, one.to].includes(to);
    });
  }

  /** The conversion under way that gives what an order would buy. */
  giving(asset: Asset): string | undefined {
    const undone = this.conversions().find(({ plan }) => {
      const { from } = contentOf(plan).conversion ?? {};
      return from !== undefined && assetOf(from) === asset;
    });
    return undone?.plan.id;
  }

  /** The plan that started and has not ended. */
  underWay(): LoggedPlan | undefined {
    return this.#begun().find(({ plan }) => contentOf(plan).conversion === undefined);
  }

  /** The conversions that started and have not ended. */
  conversions(): readonly LoggedPlan[] {
    return this.#begun().filter(({ plan }) => contentOf(plan).conversion !== undefined);
  }

  #begun(): readonly LoggedPlan[] {
    return [...this.#plans.values()].filter(isOpen);
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
   * both days, and a conversion in full as long as it lasts: it may move all of it today.
   */
  unaskedToday(now: Millis): readonly Money[] {
    const sums = new Map<Asset, Money>();
    for (const { plan, begunBy, progress } of this.#plans.values()) {
      if (plan.persons > 0 || begunBy === undefined) continue;
      const { steps, currency, conversion, value } = contentOf(plan);
      const isToday = [plan, ...progress].some(({ at }) => dayOf(at) === dayOf(now));
      const isEnded = progress.some(isEnd);
      if (!isToday && (isEnded || conversion === undefined)) continue;
      const sent = new Map(progress.flatMap(({ move }) => (move === undefined ? [] : [[move.request, move.value]])));
      const all = value === undefined ? valueOfSteps({ currency, steps }) : Money.of(value, currency);
      const planned = isEnded ? Money.zero(currency) : all;
      const moved = Money.sum([...sent.values()], currency).max(planned);
      sums.set(currency, sums.get(currency)?.plus(moved) ?? moved);
    }
    return [...sums.values()];
  }

  /** After a person said no to a plan of its own, or ended it early, the bot makes none for a while. */
  rest(now: Millis): Rest | undefined {
    const isNo = ({ state }: PlanProgress): boolean => state === "declined" || state === "finished";
    const declined = [...this.#plans.values()].flatMap(({ plan, progress }) =>
      isOwn(plan) ? progress.filter((one) => isNo(one) && now < one.at + REST_MS) : [],
    );
    const last = declined.reduce<PlanProgress | undefined>(
      (one, other) => (one && one.at > other.at ? one : other),
      undefined,
    );
    return last && { until: millis(last.at + REST_MS), why: `${last.id} ${last.state}: ${last.text}` };
  }

  /** Routes whose last requests moved nothing, by their names, with the reason. `by`: those of one plan alone. */
  refused(now: Millis, by?: string): ReadonlyMap<string, string> {
    const plans = [...this.#plans.values()].filter(({ plan }) => by === undefined || plan.id === by);
    const recent = plans
      .flatMap(({ progress }) => progress)
      .filter(({ at, state }) => state === "step" && now < at + REST_MS);
    return new Map(recent.flatMap(({ move, text }) => (move && isNothing(move) ? [[move.route, text]] : [])));
  }

  #add(plan: PlanRecord): void {
    // The same content is the same plan: its recorded state stays.
    if (!this.#plans.has(plan.id)) this.#plans.set(plan.id, { plan, approvals: [], begunBy: undefined, progress: [] });
    const { slot } = plan.content.includes('"slot"') ? (contentOf(plan).conversion ?? {}) : {};
    if (slot !== undefined) this.#slots.add(slot);
    const [oldest] = this.#plans.values();
    if (this.#plans.size <= this.#keptMax || oldest === undefined || oldest.plan.at >= plan.at - 2 * DAY_MS) return;
    if (!isOpen(oldest) || contentOf(oldest.plan).conversion === undefined) this.#plans.delete(oldest.plan.id);
  }

  #change(id: string, change: (known: LoggedPlan) => LoggedPlan): void {
    const known = this.#plans.get(id);
    if (known !== undefined) this.#plans.set(id, change(known));
  }
}

function isOpen(one: LoggedPlan): boolean {
  return one.begunBy !== undefined && !isOver(one);
}

function dayOf(at: Millis): number {
  return Math.floor(at / DAY_MS);
}

function isOver({ progress }: LoggedPlan): boolean {
  return progress.some(isEnd);
}

export function isEnd({ state }: PlanProgress): boolean {
  return state === "done" || state === "stopped" || UNUSED.has(state);
}

export function isNothing({ takes }: Pick<PlanMove, "takes">): boolean {
  return Number(takes.split(" ")[0]) === 0;
}

type Answer = Pick<ApprovalRecord, "digest" | "by">;

/** The reason why this person cannot approve it now. */
export function approvalRefusal(
  known: LoggedPlan | undefined,
  approval: Answer,
  people: readonly Approver[],
  now: Millis,
): string | undefined {
  const refusal = answerRefusal(known, approval, people, now);
  if (known === undefined || refusal !== undefined) return refusal;
  const isSecond = withCounted(known, people).approvals.some(({ by }) => by === approval.by);
  return isSecond ? `${approval.by} has approved it already` : undefined;
}

/** The reason why this person can neither approve nor decline it now. One decline of an approver is enough. */
export function answerRefusal(
  known: LoggedPlan | undefined,
  { digest, by }: Answer,
  people: readonly Approver[],
  now: Millis,
): string | undefined {
  if (known === undefined) return "the journal knows no such plan";
  const stale = whyStale(known, now);
  if (stale !== undefined) return stale;
  if (digest !== known.plan.digest) return "what was answered is not what was proposed";
  return isNamed(by, people) ? undefined : `${by} may not answer: treasury.approvals.people does not name them`;
}

type ApprovalRules = { readonly people: readonly Approver[]; readonly persons: number };

/**
 * Returns the plan if it may start now; every approval is checked again. A plan of another configuration needs no fewer
 * approvals than this one asks for.
 */
export function beginnable(known: LoggedPlan, rules: ApprovalRules, now: Millis): Result<PlanRecord> {
  const { plan, approvals } = known;
  const stale = whyStale(known, now);
  if (stale !== undefined) return err(stale);
  const { plan: asked, approvals: counted } = asAsked(known, rules);
  const persons = new Set(counted.map(({ by }) => by)).size;
  if (persons >= asked.persons) return ok(plan);
  const others = approvals.length > counted.length ? ", and others that do not count" : "";
  return err(`${persons} of ${asked.persons} people have approved it${others}`);
}

/** The plan with only those approvals that count with these people. */
export function withCounted(known: LoggedPlan, people: readonly Approver[]): LoggedPlan {
  const { plan, approvals } = known;
  const counts = ({ digest, at, by }: ApprovalRecord): boolean =>
    digest === plan.digest && at <= plan.expiresAt && isNamed(by, people);
  return { ...known, approvals: approvals.filter(counts) };
}

/** As this configuration asks for it: by as many as it wants, if the plan was made for fewer. */
export function asAsked(known: LoggedPlan, { people, persons }: Pick<ApprovalRules, "people" | "persons">): LoggedPlan {
  const { plan, ...rest } = withCounted(known, people);
  return { ...rest, plan: { ...plan, persons: Math.max(plan.persons, persons) } };
}

/** Without a list every name counts. */
function isNamed(name: string, people: readonly Approver[]): boolean {
  return people.length === 0 || people.some((person) => person.name === name);
}

function whyStale({ plan, begunBy, progress }: LoggedPlan, now: Millis): string | undefined {
  if (digestOf(plan) !== plan.digest) return "its content is not what its digest says";
  if (begunBy !== undefined) return "it was begun before: a plan is used once";
  if (isEarlier(plan)) return "it is of an earlier version of pegbot: a new plan is needed";
  const end = progress.find(isEnd);
  if (end?.state === "withdrawn") return `it was withdrawn: ${end.text}`;
  if (end?.state === "declined") return `it was declined by ${end.by}: ${end.text}`;
  // A clock that was set back does not revive a plan that was recorded as over.
  return now > plan.expiresAt || end !== undefined ? "it has expired: a new plan is needed" : undefined;
}
