// Mints and rails as the venue lists them, payments on rails, and the whitelist: what they say about requests of ours, and whether
// another one may be sent next to them. One mint of a coin at a time, because a second could not be told from the first; one rail of
// the same content, because it has no other name.

import type { Asset } from "../domain/asset.ts";
import { hasSettled, type MadeMint, type MintIntent, type MintRecord } from "../domain/mint.ts";
import type { Money, Quantity } from "../domain/money/money.ts";
import type { MovementEvent } from "../domain/movement.ts";
import { isRejected, type Rail, type RailIntent, type RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import type { Outcome, Payment, WithdrawAddress } from "../exchange/port.ts";
import { ACKNOWLEDGE, RailGuard } from "../risk/rail-guard.ts";
import { RESUME } from "../risk/trading-state.ts";
import type { MovementWish } from "../risk/treasury-gate.ts";
import type { Answer, Effects } from "./effects.ts";
import { findIn, MINTS, RAILS } from "./evidence.ts";
import { isAdoptedMint, isAdoptedRail, requestsOf, type Unattributed } from "./history.ts";
import type { IsValued, PaymentEnd, Payments } from "./payments.ts";
import { type AnyReceipt, hasHappened, type Moment, type MoneyRequest, reservationOf } from "./request.ts";
import type { RequestStore, TrackedRequest } from "./request-store.ts";
import type { RequestTracker } from "./request-tracker.ts";

type Parts = {
  readonly tracker: RequestTracker;
  readonly payments: Payments;
  readonly unattributed: Unattributed;
  readonly isValued: IsValued;
};

export class TrackedTreasury {
  readonly payments: Payments;
  private readonly store: RequestStore;
  private readonly parts: Parts;
  /** The rail freeze and its reasons. */
  readonly rails = new RailGuard();

  constructor(parts: Parts) {
    this.parts = parts;
    this.payments = parts.payments;
    this.store = parts.tracker.store;
  }

  /** Open requests and the last ended ones. */
  requests<K extends "mint" | "rail">(kind: K): ReturnType<typeof requestsOf<K>> {
    return requestsOf(this.store, kind);
  }

  /** Our mint or rail with this venue id. */
  ownerOf(kind: "mint" | "rail", venueId: string): string | undefined {
    const isNamed = (receipt: AnyReceipt): boolean => {
      if ("railId" in receipt) return receipt.railId === venueId;
      const { requestId, transactionId } = receipt as MintRecord;
      return requestId === venueId || transactionId === venueId;
    };
    return requestsOf(this.store, kind).find(({ state }) => "receipt" in state && isNamed(state.receipt))?.id;
  }

  /** Why an entry of the venue's list is not this request. */
  whyNotIts({ id, kind, request }: MoneyRequest, receipt: AnyReceipt): string | undefined {
    if (kind === "order") return undefined;
    const venueId = "railId" in receipt ? receipt.railId : (receipt as MintRecord).requestId;
    if ((request as MintIntent | RailIntent).known.includes(venueId))
      return `the venue listed ${venueId} before ${id} was sent`;
    const owner = this.ownerOf(kind, venueId);
    return owner === undefined || owner === id ? undefined : `${venueId} is ${owner}, and not ${id}`;
  }

  /** An answer that names another mint of ours is ignored. A venue may answer with an existing rail. */
  believed(tracked: TrackedRequest, outcome: Outcome<AnyReceipt>): Outcome<AnyReceipt> {
    if (tracked.kind !== "mint" || outcome.kind !== "accepted") return outcome;
    const message = this.whyNotIts(tracked, outcome.value);
    if (message === undefined) return outcome;
    const failure = { code: "contradiction", status: undefined, venueCode: undefined, message };
    return { kind: "doubt", failure, nonce: outcome.nonce, halt: true };
  }

  /** Why this mint or rail cannot be sent now. */
  refusal(wish: MovementWish): string | undefined {
    return this.frozenRefusal(wish) ?? this.busyRefusal(wish);
  }

  /** Why nothing may leave for a destination now; checked again before sending. */
  frozenRefusal(wish: MovementWish): string | undefined {
    const leavesByList = wish.kind === "rail" || wish.mint.destination !== undefined;
    const { reason } = this.rails;
    return leavesByList && reason !== undefined ? `rails are frozen: ${reason}; ${ACKNOWLEDGE}` : undefined;
  }

  private busyRefusal(wish: MovementWish): string | undefined {
    for (const { id, kind, state, request } of this.store.open.values()) {
      if (wish.kind === "mint" && kind === "mint") {
        const { asset } = request as MintIntent;
        if (asset === wish.mint.asset)
          return `one mint of ${asset} at a time: ${id} is ${state.kind}; pegbot supply ${asset} shows how far it is`;
      } else if (wish.kind === "rail" && kind === "rail" && isSameRail(request as RailIntent, wish.rail)) {
        if (!("receipt" in state)) return `a rail of the same content is open: ${id} is ${state.kind}`;
        if (!isRejected(state.receipt as Rail) && !wish.isAnother)
          return `a rail of the same content is there: ${id} is ${state.kind}; --another registers a second one`;
      }
    }
    return undefined;
  }

  /** Mints intended since then that happened or may have. */
  mintsSince(at: Millis): readonly MadeMint[] {
    return [...this.store.treasury.values()].flatMap(({ kind, request, state, intendedAt }) =>
      kind === "mint" && intendedAt >= at && reservationOf(state) !== "freed"
        ? [{ ...(request as MintIntent), intendedAt }]
        : [],
    );
  }

  /** Whether any rail exists; payments on it move money. */
  get hasRails(): boolean {
    return this.requests("rail").some(({ state }) => "receipt" in state);
  }

  expect(rail: string, amount: Quantity, { at }: Moment, out: Effects): string {
    const event = this.payments.expect(this.store.get(rail) as MoneyRequest as MoneyRequest<"rail">, amount, at);
    out.tell(event);
    return event.id;
  }

  giveUp(expectation: string, reason: string, by: string, { at }: Moment, out: Effects): void {
    out.tell(this.payments.giveUp(expectation, reason, at, by));
  }

  closePayment(id: string, end: PaymentEnd, reason: string, { at }: Moment, out: Effects): void {
    out.tell(this.payments.close(id, end, reason, at));
  }

  /** A mint that cost more than approved, or another currency, is booked and halts the bot. */
  checkCost({ kind, id, request }: TrackedRequest, receipt: AnyReceipt, now: Moment): void {
    if (kind !== "mint") return;
    const { spentMax, feeMax } = request as MintIntent;
    const { spent = spentMax, fee = feeMax } = receipt as MintRecord;
    const isWithin =
      spent.asset === spentMax.asset && fee.asset === feeMax.asset && spent.atMost(spentMax) && fee.atMost(feeMax);
    if (isWithin) return;
    const paid = `${spent} ${spent.asset} with a fee of ${fee} ${fee.asset}`;
    const limit = `${spentMax} ${spentMax.asset} with a fee of ${feeMax} ${feeMax.asset}`;
    const reason = `mint ${id} cost ${paid}, approved was at most ${limit}; it is booked`;
    this.parts.tracker.halts.raise(
      { cause: "contradiction", subject: `cost of ${id}`, reason, wayOut: RESUME },
      now.mono,
    );
  }

  // Applies the venue's lists to the mints and rails of every process.

  listed(answer: Extract<Answer, { witness: "supply-changes" | "rails" }>, now: Moment, out: Effects): void {
    const { unattributed } = this.parts;
    const found =
      answer.witness === "rails"
        ? findIn(answer.rows, requestsOf(this.store, "rail"), (row) => isAdoptedRail(row, unattributed), RAILS)
        : findIn(answer.rows, this.mintsOf(answer.asset), (row) => isAdoptedMint(row, unattributed), MINTS);
    for (const { id, finding } of found) {
      const tracked = this.store.get(id);
      const wasCosted = costOf(tracked) !== undefined;
      this.parts.tracker.found(tracked, finding, now, out);
      if (!wasCosted && costOf(tracked) !== undefined && finding.kind === "landed")
        this.checkCost(tracked, finding.receipt, now);
      this.settle(tracked, now, out);
    }
  }

  private mintsOf(asset: Asset): readonly MoneyRequest<"mint">[] {
    return requestsOf(this.store, "mint").filter(({ request }) => request.asset === asset);
  }

  /** A rejected rail ends. A mint is booked once its list calls it settled; the balances must then show its coins. */
  settle(tracked: TrackedRequest, now: Moment, out: Effects): void {
    const { kind, state } = tracked;
    if (!hasHappened(state)) return;
    if (kind === "rail" && isRejected(state.receipt as Rail))
      this.parts.tracker.act(tracked, { kind: "explained" }, now, out);
    if (kind !== "mint" || !hasSettled(state.receipt as MintRecord)) return;
    const { asset, destination } = tracked.request as MintIntent;
    const isCosted = (state.receipt as MintRecord).spent !== undefined;
    // Coins sent to a wallet cross the account's border and shift the base of the loss limits by their value.
    if (isCosted && (destination === undefined || this.parts.isValued(asset, now.at)))
      this.parts.tracker.act(tracked, { kind: "explained" }, now, out);
  }

  paid(rows: readonly Payment[], now: Moment, out: Effects): void {
    const ours = requestsOf(this.store, "rail");
    const railOf = (railId: string) => ours.find(({ state }) => "receipt" in state && state.receipt.railId === railId);
    const { events, problems } = this.payments.see(rows, railOf, now);
    // A restarted process sees again what froze the rails before.
    for (const { row, text } of problems) if (!this.rails.isAbout(row)) out.rails(this.rails.freeze(text, row, now.at));
    this.tell(events, out);
  }

  tell(events: readonly MovementEvent[], out: Effects): void {
    for (const event of events) out.tell(event);
    if (events.length > 0) out.ask({ witness: "balances", asset: undefined, class: "balance" });
  }

  whitelisted(rows: readonly WithdrawAddress[], now: Moment, out: Effects): void {
    const news = this.rails.see(rows, now.at);
    if (news !== undefined) out.rails(news);
  }
}

function costOf({ state }: TrackedRequest): Money | undefined {
  return "receipt" in state ? (state.receipt as Partial<MintRecord>).spent : undefined;
}

/** Compares every field that is sent. */
export function isSameRail(one: RailRequest, other: RailRequest): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf({ type, sender, destination, memo, asset, currency, blockchain }: RailRequest): string {
  const { name, country, type: partyType } = sender;
  return JSON.stringify([type, name, country, partyType, destination, memo ?? null, asset, currency, blockchain]);
}
