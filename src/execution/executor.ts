// The executor keeps every request that moves money from approval to the end of its life, synchronously and without input or
// output: it hands each fact to the part that it concerns, and gives back the records, reports, queries and halts it leads to.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { fiatOf } from "../domain/coin.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { MintIntent } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import { isFromOutside } from "../domain/movement.ts";
import { orderMoves } from "../domain/moves.ts";
import type { Fill } from "../domain/order.ts";
import { reservedBy } from "../domain/reservation.ts";
import type { OrderIntent } from "../domain/step.ts";
import { DAY_MS, type Millis, type Mono, millis, mono } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import { type OrderRecord, type Outcome, type SendingRecord, type TradeRecord, unreadText } from "../exchange/port.ts";
import type { Adoption, Entry, IntentRecord, JournalRecord } from "../journal/record.ts";
import type { RailGuard } from "../risk/rail-guard.ts";
import { type Approval, isOrder } from "../risk/treasury-gate.ts";
import { BalanceCheck, type OpenItem } from "./balance-check.ts";
import { type Answer, type Effects, type ExecutorParts, type Freeze, isForbidden, type Unanswered } from "./effects.ts";
import { judgeOrder } from "./evidence.ts";
import { Histories } from "./history.ts";
import {
  ageMs,
  ELSEWHERE,
  ESSENTIAL,
  isFollowed,
  isPolled,
  type Parameters,
  UnreadLists,
  witnessesOf,
} from "./parameters.ts";
import { Payments } from "./payments.ts";
import { DOCTOR, haltForAdoption } from "./remediation.ts";
import {
  type AnyReceipt,
  type Finding,
  hasHappened,
  isUnknown,
  type Moment,
  type MoneyRequest,
  type Resolution,
  reservationOf,
  type Witness,
} from "./request.ts";
import { isRefusal, isUncosted } from "./request-state.ts";
import { copyOf, type PastOrder, type RequestStore, type SavedOrders, type TrackedRequest } from "./request-store.ts";
import { mintedBy, RequestTracker } from "./request-tracker.ts";
import { TrackedTreasury } from "./treasury-requests.ts";

export type Executor = Pick<SyncExecutor, keyof SyncExecutor>;

/** Read-only access to the executor. */
export type ExecutorView = Pick<Executor, "isOpened" | "get" | "open" | "times" | "freeze" | "parameters"> & {
  readonly treasury: TreasuryRequests;
  readonly histories: Pick<Executor["histories"], "unattributedIn" | "unreadOfOurs" | "contested">;
  readonly balances: Pick<BalanceCheck, "exactSince" | "ofOurs" | "openItems" | "wouldBeExact">;
};

/** Mints, rails and their payments: whether another may be sent, and what is in transit. */
export type TreasuryRequests = Omit<TrackedTreasury, "rails" | "expect" | "giveUp" | "closePayment"> & {
  readonly rails: Pick<RailGuard, "reason" | "since">;
};

export function createExecutor(parts: ExecutorParts): Executor {
  return new SyncExecutor(parts);
}

/** While a difference lasts, the lists that may explain it are read this often. */
const MISMATCH_QUERY_MS = 15_000;

export class SyncExecutor {
  readonly treasury: TrackedTreasury;
  readonly histories: Histories;
  readonly balances: BalanceCheck;
  private readonly parts: ExecutorParts;
  private readonly unread = new UnreadLists();
  private readonly tracker: RequestTracker;
  private readonly payments: Payments;
  private readonly answers = new LatestAnswers();
  private readonly resync = new Resync();
  /** Before the books are opened no row is unattributed and no balance is checked. */
  isOpened = false;
  private refusedInARow = 0;
  private mismatchAskedAt: number = Number.NEGATIVE_INFINITY;
  private tradesAskedAt = millis(0);

  constructor(parts: ExecutorParts) {
    const { held, settings, isValued = () => true, railFee = () => undefined } = parts;
    this.parts = parts;
    const openItems = (): readonly OpenItem[] => this.openItems();
    this.balances = new BalanceCheck({ held, openItems, youngMs: settings.balancesMsMax });
    this.tracker = new RequestTracker(parts, this.balances, this.unread);
    this.histories = new Histories(this.tracker);
    const { unattributed } = this.histories;
    this.payments = new Payments({ balances: this.balances, unattributed, isValued, railFee });
    this.treasury = new TrackedTreasury({ tracker: this.tracker, payments: this.payments, unattributed, isValued });
  }

  get(id: string): MoneyRequest | undefined {
    const tracked = this.tracker.store.find(id);
    return tracked && copyOf(tracked);
  }

  /** How an order ended that is no longer kept in full. */
  pastOf(id: string): PastOrder {
    return this.tracker.store.pastOf(id);
  }

  open(): readonly MoneyRequest[] {
    return Array.from(this.tracker.store.open.values(), (tracked) => copyOf(tracked));
  }

  /** When the request was intended, and since when the venue has held it. */
  times(id: string): Pick<TrackedRequest, "intendedAt" | "heldAt"> | undefined {
    return this.tracker.store.find(id);
  }

  parameters({ at }: Moment): Parameters {
    return this.tracker.parameters(at);
  }

  /** `save`: what the executor knows about orders and could not recover from the records of those kept in full. */
  get orders(): Pick<RequestStore, "save"> {
    return this.tracker.store;
  }

  /** After a resume or a resolve, until everything is read again. */
  get isResyncing(): boolean {
    return this.resync.reason() !== undefined;
  }

  /** True when `time` would have no effect. */
  get isIdle(): boolean {
    return this.balances.isClear && !this.payments.isWaitingForRate && !this.tracker.isPolling;
  }

  freeze(now: Moment): Freeze {
    const doubt = this.doubtFreeze(now);
    const unread = this.unread.reason(this.parts.settings.balancesMsMax, now.mono);
    const everything = [
      doubt?.kind === "everything" ? doubt.reason : undefined,
      this.histories.unattributed.conflict?.reason,
      unread,
      this.resync.reason(),
    ].filter((one) => one !== undefined);
    if (everything.length > 0) return { kind: "everything", reason: everything.join("; ") };
    const frozen = this.balances.frozen(now);
    if (frozen === undefined) return doubt ?? NO_FREEZE;
    if (doubt?.kind !== "assets") return { kind: "assets", ...frozen };
    return { kind: "assets", assets: [...doubt.assets, ...frozen.assets], reason: `${doubt.reason}; ${frozen.reason}` };
  }

  /** An unknown outcome freezes its assets; two, or an old one, freeze everything. A rail moves no money. */
  private doubtFreeze(now: Moment): Freeze | undefined {
    const { escalateAfterMs } = this.parts.settings;
    let first: TrackedRequest | undefined;
    let count = 0;
    for (const tracked of this.tracker.store.open.values()) {
      const { kind, id, state } = tracked;
      if (kind === "rail" || (state.kind !== "unknown" && !isUncosted(tracked))) continue;
      if (state.kind === "unknown" && ageMs(tracked, tracked.poll, now) >= escalateAfterMs) {
        const reason = `the outcome of ${id} is unknown for ${durationText(escalateAfterMs)} or more`;
        return { kind: "everything", reason };
      }
      first ??= tracked;
      count++;
    }
    if (first === undefined) return undefined;
    if (count > 1) return { kind: "everything", reason: `unknown outcomes are ${count}, limit is 1` };
    const what = isUncosted(first) ? `the cost of ${first.id} is not stated` : `the outcome of ${first.id} is unknown`;
    const reason = `${what}; a second one, or one for ${durationText(escalateAfterMs)}, freezes everything`;
    return { kind: "assets", assets: first.assets, reason };
  }

  /** Items that the balances may or may not show. */
  private openItems(): readonly OpenItem[] {
    const items: OpenItem[] = [];
    for (const tracked of this.tracker.store.open.values()) {
      const { kind, id, state, request } = tracked;
      if (kind === "order" && isUnknown(state)) {
        const moves = orderMoves(request as OrderIntent, this.parts.feeBpsMax);
        items.push({ id, text: `${id}, outcome unknown`, moves });
      }
      if (kind === "mint" && state.kind !== "intended") items.push(...mintItems(tracked));
    }
    const payments = this.payments.openItems();
    return payments.length === 0 ? items : [...items, ...payments];
  }

  /** Applies a journal entry of this or an earlier process. */
  fold({ writer, record }: Entry): void {
    switch (record.kind) {
      case "intent":
        this.tracker.store.add(record, writer);
        return;
      case "sending":
      case "outcome":
      case "doubt":
      case "fenced":
      case "evidence":
      case "resolution":
      case "recovered":
      case "settled":
        this.tracker.fold(record, writer);
        if (record.kind === "resolution" && record.by !== "bot") this.resync.demand();
        return;
      case "difference":
        this.balances.fold(record);
        return;
      case "adoption":
        this.adopted(record);
        return;
      case "rails":
        this.treasury.rails.fold(record);
        return;
      case "step": {
        const { event } = record.step;
        if (event.kind === "movement") this.payments.take(event);
        if (event.kind === "control" && event.control.kind === "resume") this.resumed();
        this.tracker.stepped(record.step);
        return;
      }
      case "control":
        if (record.control.kind === "resume") this.resumed();
        return;
      default:
        return;
    }
  }

  resumed(): void {
    this.tracker.halts.clear();
    this.histories.unattributed.forget();
    this.tracker.store.resumed();
    this.resync.demand();
  }

  /**
   * Restores a saved state into a fresh executor. `kept`: all entries of the requests kept in full, and all entries that
   * belong to no order.
   */
  load(saved: SavedOrders, kept: readonly Entry[]): void {
    this.tracker.store.load(saved, () => {
      for (const entry of kept) this.fold(entry);
    });
  }

  /**
   * Takes over the requests of earlier processes: a key has one owner at a time. `isUnsure`: the venue has not been heard, so that the clock may have jumped: windows wait for its time.
   */
  recover(now: Moment, out: Effects, isUnsure = false): void {
    for (const tracked of [...this.tracker.store.open.values()]) {
      if (hasHappened(tracked.state) && !isFollowed(tracked)) continue;
      // After the books are rebuilt, polling of our own requests resumes.
      const isDue = !this.tracker.owns(tracked) || (!isUnsure && isPolled(tracked) && tracked.poll === ELSEWHERE);
      if (isDue) this.tracker.recovered(tracked, now, out, isUnsure);
    }
    this.tracker.poll(now, out);
    this.resync.follow(now.mono, out);
    this.tracker.halts.flush(now.at, out);
  }

  /** `value`: the amount at stake, in the currency of the limits. For a mint or a rail, check `refusal` first. */
  intend(approval: Approval, value: Money | undefined, now: Moment, out: Effects): void {
    const busy = isOrder(approval) ? undefined : this.treasury.refusal(approval);
    if (busy !== undefined) throw new InvariantViolation(busy);
    const { by = "bot", writer, feeBpsMax } = this.parts;
    const record = intentOf(approval, value, now.at, by, feeBpsMax);
    const tracked = this.tracker.store.add(record, writer);
    out.record(record);
    this.tracker.report(tracked, now.at, out);
  }

  /** The records for `journal.announce`. Throws if the request was already sent. */
  sending(id: string, record: SendingRecord, now: Moment): readonly JournalRecord[] {
    return [this.tracker.sending(id, record, now)];
  }

  outcome(id: string, answer: Outcome<AnyReceipt>, now: Moment, out: Effects): void {
    const tracked = this.tracker.store.get(id);
    const outcome = this.treasury.believed(tracked, answer);
    if (outcome.kind === "accepted") this.treasury.checkCost(tracked, outcome.value, now);
    this.tracker.answered(tracked, outcome, now, out);
    this.tracker.halts.flush(now.at, out);
  }

  answered(answer: Answer, now: Moment, out: Effects): void {
    const unread = this.histories.unreadOfOurs(answer);
    if (unread !== undefined) {
      const { witness, askedAt } = answer;
      const asset = witness === "supply-changes" ? answer.asset : undefined;
      this.unanswered({ witness, asset, askedAt, code: "unreadable", message: unreadText(unread) }, now, out);
      return;
    }
    this.refusedInARow = 0;
    const unreadFrom = this.readAgain(answer, now);
    this.resync.answered(answer);
    this.answers.take(answer);
    if (answer.nonce !== undefined) this.tracker.fence(answer.nonce, now, out);
    const isOurs = this.hear(answer, now, out, unreadFrom) && answer.unread === undefined;
    if (this.tracker.isPolling) this.completeRounds(answer.witness, now, out);
    if (this.isOpened && !(isOurs && this.histories.unattributed.isEmpty)) this.histories.guard(answer, now.mono);
    this.tracker.poll(now, out);
    this.tracker.halts.flush(now.at, out);
  }

  /** Since when the trade list has been unreadable, if longer than one query may take. */
  private readAgain(answer: Answer, { at, mono }: Moment): Millis | undefined {
    let unreadFrom: Millis | undefined;
    if (answer.witness === "trades") {
      if (this.unread.isFor(answer, this.parts.settings.lookMsMax, mono)) unreadFrom = this.tradesAskedAt;
      this.tradesAskedAt = millis(at - (mono - answer.askedAt));
    }
    this.unread.answered(answer);
    return unreadFrom;
  }

  /** Returns whether every row is attributed to us. */
  private hear(answer: Answer, now: Moment, out: Effects, unreadFrom: Millis | undefined): boolean {
    const { witness } = answer;
    if (witness === "trades") return this.histories.trades(answer.rows, now, out, unreadFrom);
    if (witness === "orders") this.histories.orders(answer.rows, now, out);
    else if (witness === "balances") this.seeBalances(answer.rows, now, out);
    else if (witness === "payments") this.treasury.paid(answer.rows, now, out);
    else if (witness === "addresses") this.treasury.whitelisted(answer.rows, now, out);
    else this.treasury.listed(answer, now, out);
    return witness === "balances";
  }

  private seeBalances(rows: readonly Balance[], now: Moment, out: Effects): void {
    const { store } = this.tracker;
    const excused = this.histories.unattributed.assets();
    const { records, halt, exact } = this.balances.see(rows, now, { isOpened: this.isOpened, excused });
    for (const record of records) out.record(record);
    if (halt !== undefined) {
      const { adopt, ...conflict } = halt;
      this.tracker.halts.raise(haltForAdoption(conflict, store.open.values(), adopt), now.mono);
    }
    for (const tracked of [...store.open.values()]) {
      if (tracked.kind !== "order" || !hasHappened(tracked.state)) continue;
      if (exact === "all" || movedBy(tracked).every((asset) => exact.has(asset)))
        this.tracker.act(tracked, { kind: "explained" }, now, out);
    }
    if (!this.balances.isClear) this.askAboutMismatch(now.mono, out);
  }

  /** Reads the lists that may hold a trade, payment or mint which explains the difference. */
  private askAboutMismatch(now: Mono, out: Effects): void {
    if (now - this.mismatchAskedAt < MISMATCH_QUERY_MS) return;
    this.mismatchAskedAt = now;
    out.ask({ witness: "trades", asset: undefined, class: "doubt" });
    if (this.treasury.hasRails) out.ask({ witness: "payments", asset: undefined, class: "doubt" });
    for (const { kind, request } of this.tracker.store.treasury.values())
      if (kind === "mint") out.ask({ witness: "supply-changes", asset: (request as MintIntent).asset, class: "doubt" });
    out.ask({ witness: "balances", asset: undefined, class: "balance" });
  }

  /** An answer may complete a round of queries for a waiting request. */
  private completeRounds(witness: Witness, now: Moment, out: Effects): void {
    for (const tracked of [...this.tracker.store.open.values()]) {
      if (!this.tracker.owns(tracked) || !isPolled(tracked) || !this.answers.completes(tracked, witness)) continue;
      this.tracker.found(tracked, this.findingOf(tracked, now), now, out);
    }
  }

  /** Before the fence only an existing trade counts, and the trade list was already searched. */
  private findingOf(tracked: TrackedRequest, now: Moment): Finding<AnyReceipt> {
    const { id, kind, state, request, anchor } = tracked;
    if (kind !== "order" || state.kind !== "unknown" || state.fence === undefined) return NOT_LISTED;
    const { trades, orders, balances } = this.answers;
    const unread = [
      ...this.histories.unreadIn({ witness: "trades", unread: trades.unread }),
      ...this.histories.unreadIn({ witness: "orders", unread: orders.unread }),
    ];
    // The balances need not show bookings made shortly before they were requested, or since.
    const askedAt = { at: millis(now.at - (now.mono - balances.askedAt)), mono: mono(balances.askedAt) };
    const vote = this.balances.vote(id, balances.rows, askedAt);
    const { store } = this.tracker;
    const named = <R extends TradeRecord | OrderRecord>(row: R): R => ({ ...row, clientOrderId: store.idOf(row) });
    const testimony = { trades: this.histories.unclaimed(trades.rows).map(named), orders: orders.rows.map(named) };
    const finding = judgeOrder(request as OrderIntent, {
      ...testimony,
      ...{ anchor, vote, isRefused: isRefusal(state.code), isAlone: this.isAlone(tracked, now.at) },
    });
    const [row] = unread;
    return finding.kind === "absent" && row !== undefined
      ? { kind: "silent", reason: `${row.text} may be its trade` }
      : finding;
  }

  /** No other order may own a trade that the list has not shown as its own: of its pair, or given up by rule. */
  private isAlone({ id, request }: TrackedRequest, at: Millis): boolean {
    const { symbol } = request as OrderIntent;
    if (this.tracker.store.hasReleasedSince(millis(at - DAY_MS))) return false;
    for (const { kind, state, request: other, id: otherId } of this.tracker.store.open.values()) {
      const isWaiting = kind === "order" && (isUnknown(state) || state.kind === "accepted");
      if (isWaiting && otherId !== id && (other as OrderIntent).symbol === symbol) return false;
    }
    return true;
  }

  unanswered(
    { witness, asset, askedAt, code, message, isShared = false }: Unanswered,
    now: Moment,
    out: Effects,
  ): void {
    for (const tracked of this.tracker.store.open.values()) {
      const { poll } = tracked;
      if (!this.tracker.owns(tracked) || !poll.isOpen || poll.askedAt === undefined || askedAt < poll.askedAt) continue;
      if (witness === "supply-changes" && asset !== undefined && asset !== mintedBy(tracked)) continue;
      if (witnessesOf(tracked).includes(witness)) this.tracker.missed(tracked, witness, code, now);
    }
    this.resync.unanswered(witness);
    const times = isShared ? 0 : this.unread.failed({ witness, asset }, code, now.mono, message);
    if (!isShared) this.refusedInARow = code === "unauthorized" ? this.refusedInARow + 1 : 0;
    const refused = { cause: "venue", subject: "key", reason: "the venue refuses our key", wayOut: DOCTOR } as const;
    if (this.refusedInARow >= 2) this.tracker.halts.raise(refused, now.mono);
    // Some keys may not read payments or addresses. A 403 without a code counts only the second time: the first may
    // come from a gateway.
    const isOptional = witness === "payments" || witness === "addresses";
    if (isForbidden(code) && (code !== "forbidden" || times > 1) && !isOptional) {
      const reason = `the venue forbids this account to read its ${witness}: ${code}`;
      this.tracker.halts.raise(
        { cause: "venue", subject: `forbids to ask: ${code}`, reason, wayOut: DOCTOR },
        now.mono,
      );
    }
    this.tracker.halts.flush(now.at, out);
  }

  /** Closes a request by a person's decision. Throws unless `resolutionRefusal` allows it. */
  resolve(id: string, resolution: Resolution<AnyReceipt>, now: Moment, out: Effects): void {
    const tracked = this.tracker.store.get(id);
    this.tracker.act(tracked, { kind: "resolved", resolution }, now, out);
    this.treasury.settle(tracked, now, out);
    this.tracker.halts.flush(now.at, out);
    this.resync.demand();
  }

  /** Adopts a difference and its history rows. The engine books the step. */
  adopt(adoption: Adoption, { at }: Moment, out: Effects): void {
    this.adopted(adoption);
    out.record(adoption);
    // An adopted row is never booked; a request in flight for it ends with the adoption.
    for (const id of adoption.history.ids) {
      const flight = this.payments.get(id);
      if (flight === undefined) continue;
      out.tell(this.payments.close(id, isFromOutside(flight) ? "back" : "through", "adopted with its row", at));
    }
  }

  private adopted({ history, amounts }: Adoption): void {
    this.isOpened = true;
    this.histories.adopt(history);
    this.balances.adopted(amounts);
    this.tracker.halts.clear();
  }

  /** Called about once a second. */
  time(now: Moment, out: Effects): void {
    if (this.isIdle) return;
    if (this.payments.isWaitingForRate) this.treasury.tell(this.payments.valued(now), out);
    for (const tracked of [...this.tracker.store.open.values()])
      if (tracked.kind === "mint") this.treasury.settle(tracked, now, out);
    this.tracker.poll(now, out);
    if (!this.balances.isClear) this.askAboutMismatch(now.mono, out);
    this.tracker.halts.flush(now.at, out);
  }
}

const NO_FREEZE: Freeze = Object.freeze({ kind: "none" });
const NOT_LISTED: Finding<never> = { kind: "silent", reason: "history does not show it" };

function movedBy({ assets, state }: TrackedRequest): readonly Asset[] {
  const fee = "receipt" in state ? (state.receipt as Fill).fee : undefined;
  return fee === undefined || fee.isZero() ? assets : [...assets, fee.asset];
}

/** A mint is two open items, its payment and its coins, because hours lie between them. */
function mintItems(tracked: TrackedRequest): readonly OpenItem[] {
  const { id, state } = tracked;
  const { asset, quantity, destination, spentMax } = tracked.request as MintIntent;
  const coins = quantity.of(asset);
  const coming = { id, text: `${id}, ${coins} ${asset} on the way`, moves: [{ least: coins, most: coins }] };
  const come = destination === undefined ? [coming] : [];
  if (reservationOf(state) === "booked" && !isUncosted(tracked)) return come;
  // Of its fiat a mint takes its quantity at least. A limit in another asset is near the cost: half of it is far below.
  const least = spentMax.asset === fiatOf(asset) ? quantity.of(spentMax.asset) : spentMax.share(5_000, "down");
  const moves = [{ least: spentMax.negated(), most: least.negated() }];
  return [{ id, text: `${id}, cost unknown`, moves }, ...come];
}

function intentOf(
  approval: Approval,
  value: Money | undefined,
  at: Millis,
  by: string,
  feeBpsMax: number,
): IntentRecord {
  if (isOrder(approval)) {
    const request = { kind: "order", order: approval } as const;
    const reserved = [reservedBy(approval, feeBpsMax).leaves];
    return { kind: "intent", at, id: approval.clientOrderId, request, reserved, value, by, why: undefined };
  }
  const { id, reason: why } = approval;
  if (approval.kind === "rail") {
    const request = { kind: "rail", rail: approval.rail, assets: [] } as const;
    return { kind: "intent", at, id, request, reserved: [], value, by, why };
  }
  const { mint } = approval;
  const request = { kind: "mint", mint, assets: [mint.asset, mint.spentMax.asset] } as const;
  return { kind: "intent", at, id, request, reserved: [mint.spentMax], value, by, why };
}

type Latest<T> = Pick<Answer, "unread"> & { readonly askedAt: number; readonly rows: readonly T[] };
const NEVER = Number.NEGATIVE_INFINITY;

/** The newest answers of the witnesses. A round is complete when each witness has answered a query that was posted after it began. */
class LatestAnswers {
  trades: Latest<TradeRecord> = { askedAt: NEVER, rows: [] };
  orders: Latest<OrderRecord> = { askedAt: NEVER, rows: [] };
  balances: Latest<Balance> = { askedAt: NEVER, rows: [] };
  private readonly askedAt = new Map<string, number>();

  take(answer: Answer): void {
    const { askedAt, witness } = answer;
    const key = witness === "supply-changes" ? `${witness} ${answer.asset}` : witness;
    if (askedAt < (this.askedAt.get(key) ?? NEVER)) return;
    this.askedAt.set(key, askedAt);
    if (witness === "trades") this.trades = answer;
    else if (witness === "orders") this.orders = answer;
    else if (witness === "balances") this.balances = answer;
  }

  completes(tracked: TrackedRequest, witness: Witness): boolean {
    const { isOpen, askedAt } = tracked.poll;
    if (!isOpen || askedAt === undefined) return false;
    const asked = witnessesOf(tracked);
    const coin = mintedBy(tracked);
    const keyOf = (one: Witness): string => (one === "supply-changes" ? `${one} ${coin}` : one);
    return asked.includes(witness) && asked.every((one) => (this.askedAt.get(keyOf(one)) ?? NEVER) >= askedAt);
  }
}

/** After `resume` or `resolve`, trades, orders and balances are read again before anything is sent. */
class Resync {
  private readonly missing = new Set<Witness>();
  private askedAt: Mono | undefined = undefined;
  /** At a start everything is read anyway. */
  private isFollowed = false;

  demand(): void {
    if (!this.isFollowed) return;
    for (const witness of ESSENTIAL) this.missing.add(witness);
    this.askedAt = undefined;
  }

  /** Called about once a second. */
  follow(now: Mono, out: Pick<Effects, "ask">): void {
    this.isFollowed = true;
    if (this.missing.size === 0 || this.askedAt !== undefined) return;
    this.askedAt = now;
    for (const witness of this.missing) out.ask({ witness, asset: undefined, class: "doubt" });
  }

  answered({ witness, askedAt }: Pick<Answer, "witness" | "askedAt">): void {
    if (this.askedAt !== undefined && askedAt >= this.askedAt) this.missing.delete(witness);
  }

  unanswered(witness: Witness): void {
    if (this.missing.has(witness)) this.askedAt = undefined;
  }

  reason(): string | undefined {
    if (this.missing.size === 0) return undefined;
    return `${[...this.missing].join(", ")} are being read again after resume or resolve`;
  }
}
