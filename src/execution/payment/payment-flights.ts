// Payments that are booked and not over. The list may end one, or no longer say how it goes on: under a word that nobody knows, or
// by leaving it out. Then its money stays in flight, and in equity, until a person says what became of it.

import type { Asset } from "../../domain/asset.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import {
  DROPPED,
  isFromOutside,
  isOfBalances,
  type MovementEvent,
  type MovementReport,
} from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import { isHeld, wordOf } from "../../domain/venue-word.ts";
import { ONE_SIDED_MS_MAX } from "../one-sided.ts";
import type { Mover } from "../totals.ts";

const PREFIX = "payment:";

export type PaymentFlight = {
  readonly id: string;
  /** What left the account; zero where the payment comes from outside. */
  readonly spent: Money;
  readonly comes: Money;
  readonly since: Millis;
};

/** `at`: since when the venue is seen to hold it. */
export type KeptBackPayment = PaymentFlight & { readonly at: Millis };

/** `back`: what it took is back, or it will not come. `through`: it has arrived outside. `here`: it has come onto the account, less a fee. */
export type PaymentEnd = { readonly kind: "back" | "through" } | { readonly kind: "here"; readonly fee: Money };

/**
 * A payment that moves nothing by the books. `change`: what it would do to holdings if it moved after all. `what`: how that amount belongs
 * to it, and how it ended or why nobody knows; it follows the id in a sentence.
 */
export type MovedPayment = { readonly id: string; readonly change: Money; readonly what: string };

type Kept = PaymentFlight & {
  /** Since when the list does not say what becomes of it. */
  readonly lostAt: Millis | undefined;
  readonly keptBackAt: Millis | undefined;
  readonly status: string | undefined;
  readonly isAsked: boolean;
};

/** `how`: in words. `undone`: what it would move if an arrival that the list had shown were taken back. */
type Ended = { readonly how: string; readonly at: Millis; readonly undone?: MovedPayment };

export class PaymentFlights {
  readonly #open = new Map<string, Kept>();
  readonly #over = new Map<string, MovedPayment>();
  readonly #ended = new Map<string, Ended>();
  /** Payments that have left for a bank, until the balances have shown it. */
  readonly #left = new Map<string, { readonly spent: Money; readonly at: Millis }>();

  take(id: string, report: MovementReport, at: Millis): void {
    this.#leave(id, report, at);
    this.#follow(id, report, at);
  }

  /** Payments that left after this time, and that no balances have shown to be gone yet: those may be behind. */
  leftSince(at: number): readonly Mover[] {
    const movers: Mover[] = [];
    for (const [id, left] of this.#left) {
      const change = left.spent.negated();
      const movements = [{ least: change, most: change }];
      // The list tells of it after it has left, the newest first or last: before or after which order of ours nobody knows.
      if (left.at > at) movers.push({ id, booked: true, isFree: true, movements });
    }
    return movers;
  }

  /** The balances have shown that it left. */
  shown(id: string): void {
    this.#left.delete(id);
  }

  leftAt(id: string): Millis | undefined {
    return this.#left.get(id)?.at;
  }

  #leave(id: string, report: MovementReport, at: Millis): void {
    // After so long a person has been asked about what was never seen to leave.
    for (const [other, left] of this.#left) if (at - left.at >= ONE_SIDED_MS_MAX) this.#left.delete(other);
    if (report.kind === "departed" || (report.kind === "corrected" && this.#left.has(id))) {
      if (!report.spent.isZero()) this.#left.set(id, { spent: report.spent, at });
    } else if (report.kind === "returned" || report.kind === "released") this.#left.delete(id);
    else if (report.kind === "told" && isOfBalances(report.reason)) this.#left.delete(id);
  }

  #follow(id: string, report: MovementReport, at: Millis): void {
    if (report.kind === "departed") {
      const { spent, comes } = report;
      const fresh = { lostAt: undefined, keptBackAt: undefined, status: undefined, isAsked: false };
      this.#open.set(id, { id, spent, comes, since: at, ...fresh });
      return;
    }
    if (report.kind === "released" && report.covered !== undefined) {
      this.#end(id, report.covered.amount, "was taken over by an adoption");
      this.#ended.set(id, { how: "it was taken over by an adoption", at });
    }
    const known = this.#open.get(id);
    if (known === undefined) return;
    if (report.kind === "corrected") this.#correct(known, report);
    if (report.kind === "told" && !isOfBalances(report.reason)) this.#open.set(id, told(known, report.status, at));
    if (report.kind === "escalated") this.#open.set(id, { ...known, isAsked: true });
    if (report.kind === "returned") this.#end(id, changeOf(known), "counts as given back");
    // What the list calls arrived has arrived, while it says so; a person who closed it may be wrong, so that it may still move.
    if (report.kind === "arrived" && report.reason !== undefined)
      this.#over.set(id, undone(known, report, ["was closed as arrived outside", "was closed as landed"]));
    if (report.kind !== "returned" && report.kind !== "arrived") return;
    this.#open.delete(id);
    this.#ended.set(id, endedBy(known, report, at));
  }

  /** The balances may still show that it moved with the amount from before. */
  #correct(known: Kept, { spent, comes, reason }: Extract<MovementReport, { kind: "corrected" }>): void {
    const { id } = known;
    this.#open.set(id, { ...known, spent, comes });
    const change = changeOf(known).minus(changeOf({ spent, comes }));
    this.#over.set(id, { id, change, what: `was corrected by: ${reason}` });
  }

  #end(id: string, change: Money, how: string): void {
    this.#over.set(id, { id, change, what: `was to ${change.isNegative() ? "take" : "bring"}, which ${how}` });
  }

  /** Those whose further course the list does not say come last. */
  open(): readonly PaymentFlight[] {
    return [...this.#open.values()].sort((one, other) => Number(isLost(one)) - Number(isLost(other)));
  }

  keptBack(): readonly KeptBackPayment[] {
    return [...this.#open.values()].flatMap(({ id, spent, comes, since, keptBackAt: at }) =>
      at === undefined ? [] : [{ id, spent, comes, since, at }],
    );
  }

  get(id: string): PaymentFlight | undefined {
    return this.#open.get(id);
  }

  /** Only for a payment that is over. */
  forget(id: string): void {
    this.#over.delete(id);
    this.#ended.delete(id);
  }

  isOver(id: string): boolean {
    return this.#ended.has(id);
  }

  /** How and when one ended that is in flight no more. */
  ended(id: string): string | undefined {
    const ended = this.#ended.get(id);
    return ended && `${ended.how} at ${utcText(ended.at)}`;
  }

  /** Of one that has arrived by the list: what would take it back. */
  undone(id: string): MovedPayment | undefined {
    return this.#ended.get(id)?.undone;
  }

  /** Those that move nothing any more by the books. */
  over(): Iterable<MovedPayment> {
    return this.#over.values();
  }

  /**
   * `listed`: ids of all payments that the venue lists. Gives back which of ours it has begun to leave out, on record so that a
   * restart does not begin to count anew, and what a person is to be asked now.
   */
  overdue(listed: ReadonlySet<string>, receivedAt: Millis): readonly MovementEvent[] {
    const events: MovementEvent[] = [];
    for (const known of this.#open.values()) {
      const { id, status, lostAt, isAsked } = known;
      if (status !== DROPPED && !listed.has(venueIdOf(known)))
        events.push({ kind: "movement", id, report: { kind: "told", status: DROPPED, reason: undefined }, receivedAt });
      else if (lostAt !== undefined && !isAsked && receivedAt - lostAt >= ONE_SIDED_MS_MAX)
        events.push({ kind: "movement", id, report: question(known), receivedAt });
    }
    return events;
  }
}

export function paymentId(venueId: string): string {
  return `${PREFIX}${venueId}`;
}

export function isPayment(id: string): boolean {
  return id.startsWith(PREFIX);
}

export function venueIdOf({ id }: Pick<PaymentFlight, "id">): string {
  return id.slice(PREFIX.length);
}

/** The report by which a person ends it, and the asset that it needs a rate of: it crosses the border of the account, or is a fee. */
export function endOf(
  flight: PaymentFlight,
  end: PaymentEnd,
  reason: string,
): { readonly report: MovementReport; readonly valued: Asset | undefined } {
  const { asset } = flight.comes;
  switch (end.kind) {
    case "through":
      return { report: { kind: "arrived", at: "outside", reason }, valued: asset };
    case "here": {
      const { fee } = end;
      return { report: { kind: "arrived", at: "account", fee, reason }, valued: fee.isZero() ? undefined : asset };
    }
    case "back":
      return { report: { kind: "returned", reason }, valued: isFromOutside(flight) ? asset : undefined };
    default:
      return unreachable(end);
  }
}

/** How a person closes what comes back. */
export function closingPayment(id: string): string {
  return `pegbot resolve ${id} --not-landed --reason "..."`;
}

type Arrived = Extract<MovementReport, { kind: "arrived" }>;

/** What would take back that it has arrived. `how`: outside, and on the account. */
function undone(
  { id, spent, comes }: Kept,
  { at, fee }: Arrived,
  [outside, here]: readonly [string, string],
): MovedPayment {
  if (at === "outside") return { id, change: spent, what: `had taken, which ${outside}` };
  const brought = fee === undefined ? comes : comes.minus(fee);
  return { id, change: brought.negated(), what: `had brought, which ${here}` };
}

function endedBy(known: Kept, report: Arrived | Extract<MovementReport, { kind: "returned" }>, at: Millis): Ended {
  if (report.kind === "returned")
    return { how: `it ${isFromOutside(known) ? "does not come" : "was given back"} (${report.reason})`, at };
  const how = report.at === "outside" ? "it arrived outside" : "it came onto the account";
  if (report.reason !== undefined) return { how: `${how} (${report.reason})`, at };
  return { how, at, undone: undone(known, report, ["had arrived outside", "had come"]) };
}

/** Of what is held, should it move. */
export function changeOf(flight: Pick<PaymentFlight, "spent" | "comes">): Money {
  return isFromOutside(flight) ? flight.comes : flight.spent.negated();
}

/** Whether the list no longer says how it goes on. */
function isLost({ lostAt }: Kept): boolean {
  return lostAt !== undefined;
}

function told(known: Kept, status: string, at: Millis): Kept {
  const isUnknown = wordOf(status) === "unknown";
  return {
    ...known,
    status,
    lostAt: isUnknown ? (known.lostAt ?? at) : undefined,
    keptBackAt: isHeld(status) ? (known.keptBackAt ?? at) : undefined,
    isAsked: isUnknown && known.isAsked,
  };
}

function question(known: Kept): Extract<MovementReport, { kind: "escalated" }> {
  const { id, status, comes } = known;
  const says = status === DROPPED ? `does not list ${id} any more` : `lists ${id} as ${status}`;
  const [back, through] = isFromOutside(known)
    ? ["if it does not come", "if the balances show it"]
    : ["if it was given back", "if it has arrived at the bank"];
  return {
    kind: "escalated",
    reason: `the venue ${says}, for a day now, and ${comes} ${comes.asset} of it are in flight`,
    wayOut: `ask the venue's support about payment ${venueIdOf(known)}; ${back}: ${closingPayment(id)}; ${through}: pegbot resolve ${id} --landed --reason "..."`,
  };
}
