// The venue's histories of trades and orders, as answers show them: what they say about orders of ours, and which of their rows
// are nobody's that the journal knows.

import type { Fill } from "../../domain/order.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Mono } from "../../domain/time.ts";
import type { OrderRecord, TradeRecord } from "../../exchange/port.ts";
import type { HistoryMark } from "../../journal/record.ts";
import type { Answer, Effects, HistorySight } from "../executor.ts";
import type { Held } from "../kept/held.ts";
import type { Lives } from "../lives.ts";
import { judgeFills } from "../order-evidence.ts";
import { isSameFill, receiptDifference } from "../receipt.ts";
import { reservationOf } from "../reservation.ts";
import type { Conflict, Moment, Submission } from "../submission.ts";
import { haltOf } from "../way-out.ts";
import { type Belied, contested, Foreign, type HistoryRow, SeenRows } from "./foreign.ts";
import { orderRow, tradeRow } from "./history.ts";
import { orderConflict, strangersIn } from "./history-check.ts";
import { ShownRows } from "./shown-rows.ts";

const NONE: readonly never[] = Object.freeze([]);
/** For when nothing has to be counted. */
const NOTHING_SEEN = new SeenRows();

export class Histories implements HistorySight {
  readonly foreign = new Foreign();
  private readonly lives: Lives;
  private readonly shown = new ShownRows<TradeRecord>();

  constructor(lives: Lives) {
    this.lives = lives;
  }

  adopt(history: HistoryMark): void {
    this.foreign.adopt(history);
    if (!this.foreign.isUntouched) this.lives.submissions.hasOlderHistory();
  }

  strangers(answer: Answer): readonly HistoryRow[] {
    return strangersIn(answer, this.lives.submissions, this.foreign);
  }

  /** Keeps rows that the books do not know, until somebody has taken them over. */
  guard(answer: Answer): void {
    const rows = this.strangers(answer);
    for (let i = 0; i < rows.length; i++) this.foreign.add(rows[i] as HistoryRow);
  }

  haltIfForeign(now: Mono): void {
    if (this.foreign.isEmpty) return;
    const { stop } = this.foreign;
    if (stop !== undefined) this.lives.halt(haltOf(stop, this.lives.submissions.open), now);
  }

  /** What history shows is true for the orders of every process, also for those that were given up. Says whether all rows are known. */
  trades(rows: readonly TradeRecord[], now: Moment, out: Effects): boolean {
    const { shown } = this;
    let isAllOurs = true;
    // Mostly rows of the orders that filled last.
    let fresh: TradeRecord[] | undefined;
    let owners: Held[] | undefined;
    let open: TradeRecord[] | undefined;
    let accepted: Held[] | undefined;
    const seen = this.seen();
    shown.begin(rows);
    for (let i = shown.from(0, rows); i < rows.length; i = shown.from(i + 1, rows)) {
      const row = rows[i] as TradeRecord;
      const held = this.ownerOf(row);
      if (held === undefined) isAllOurs = false;
      else if (held.kind === "order" && isKnown(held, row)) continue;
      else if (held.kind === "order" && this.isAccepted(row, seen)) {
        accepted = [...(accepted ?? NONE), held];
        // A row without an id must be counted in every answer, so that it is looked at again.
        if (row.tradeId === undefined) open = [...(open ?? NONE), row];
        continue;
      }
      if (held?.kind !== "order") {
        if (open === undefined) open = [row];
        else open.push(row);
      } else if (fresh === undefined || owners === undefined) {
        fresh = [row];
        owners = [held];
      } else {
        fresh.push(row);
        owners.push(held);
      }
    }
    if (fresh !== undefined && owners !== undefined) open = this.traded(fresh, owners, open, now, out);
    if (accepted !== undefined) this.confirm(accepted, now, out);
    shown.end(rows, open);
    return isAllOurs;
  }

  /** Each of the owners once, with all rows that are its own. Those that do not agree are added to the open ones. */
  private traded(
    fresh: readonly TradeRecord[],
    owners: readonly Held[],
    open: TradeRecord[] | undefined,
    now: Moment,
    out: Effects,
  ): TradeRecord[] | undefined {
    let still = open;
    for (let i = 0; i < owners.length; i++) {
      const held = owners[i] as Held;
      if (owners.indexOf(held) < i) continue;
      const row = fresh[i] as TradeRecord;
      const more = owners.includes(held, i + 1) ? rowsOf(held, fresh, owners, i + 1) : NONE;
      const finding = judgeFills(held.request as OrderIntent, row, more);
      if (finding.kind === "landed" || finding.kind === "contradiction") this.lives.looked(held, finding, now, out);
      // What was taken over is what the row says.
      if (finding.kind === "landed" && "receipt" in held.state && held.state.receipt === finding.receipt) continue;
      still = [...(still ?? NONE), ...oddOf(held, [row, ...more])];
    }
    return still;
  }

  /** A person has taken over what it says instead of what is known: only of an order that had ended, and none begins again. */
  private isAccepted(row: TradeRecord, seen: SeenRows): boolean {
    const { foreign } = this;
    return foreign.hasContested && foreign.isAccepted(tradeRow(row), seen);
  }

  /** What history shows of them a person has seen: none of them is missing there. What it moved besides is taken over already. */
  private confirm(accepted: readonly Held[], now: Moment, out: Effects): void {
    for (const held of accepted)
      if (held.state.kind === "accepted") this.lives.landed(held, held.state.receipt, now, out);
  }

  /** Rows about orders of ours that have ended otherwise, and that nobody has accepted yet. */
  contested(answers: readonly Answer[]): readonly HistoryRow[] {
    const trades = answers.flatMap((answer) => (answer.witness === "trades" ? answer.rows : NONE));
    const orders = answers.flatMap((answer) => (answer.witness === "orders" ? answer.rows : NONE));
    const unbooked = this.unbookedBy(trades);
    const seen = this.seen();
    return [
      ...this.oddTrades(trades, unbooked),
      ...this.oddOrders(orders, unbooked)
        .map((order) => ({ row: orderRow(order), belied: this.beliedBy(order) }))
        .filter(({ row }) => !this.foreign.isAccepted(row, seen))
        .map(({ row, belied }) => contested(row, belied)),
    ];
  }

  /** Of an entry in the list of orders: one that had filled by our word. What else it may be told of, its trades are. */
  private beliedBy(row: OrderRecord): Belied | undefined {
    const { submissions } = this.lives;
    const order = submissions.idOf(row);
    const held = order === undefined ? undefined : submissions.find(order);
    return held !== undefined && "receipt" in held.state ? { order: held.id, isUnbooked: false } : undefined;
  }

  /** Orders that were given up and whose trades, as they are listed, nobody books: all that they moved is to be taken over. */
  private unbookedBy(rows: readonly TradeRecord[]): ReadonlySet<string> {
    const own = new Map<Held, TradeRecord[]>();
    for (const row of rows) {
      const held = this.ownerOf(row);
      if (held?.kind === "order" && reservationOf(held.state) === "freed")
        own.set(held, [...(own.get(held) ?? []), row]);
    }
    const unbooked = [...own].filter(([{ request }, [first, ...more]]) => {
      return first !== undefined && judgeFills(request as OrderIntent, first, more).kind === "contradiction";
    });
    return new Set(unbooked.map(([{ id }]) => id));
  }

  /** Hardly ever anything was taken over of which it would be counted. */
  private seen(): SeenRows {
    return this.foreign.hasContested ? new SeenRows() : NOTHING_SEEN;
  }

  private oddTrades(rows: readonly TradeRecord[], unbooked: ReadonlySet<string>): readonly HistoryRow[] {
    // The answer to an order names no trade: the first that fits is the one, and any other is a second.
    const fitting = new Map<string, Fill>();
    const seen = this.seen();
    return rows.flatMap((row): readonly HistoryRow[] => {
      const held = this.ownerOf(row);
      if (held?.kind !== "order" || this.isAccepted(row, seen)) return NONE;
      const shown = tradeRow(row);
      if (unbooked.has(held.id)) return [contested(shown, { order: held.id, isUnbooked: true })];
      if (!("receipt" in held.state)) return NONE;
      const fill = { ...row, clientOrderId: held.id as Fill["clientOrderId"] };
      const known = fitting.get(held.id) ?? (held.state.receipt as Fill);
      if (receiptDifference("order", known, fill) !== undefined)
        return [contested(shown, isSameTrade(known, fill) ? undefined : { order: held.id, isUnbooked: false })];
      fitting.set(held.id, fill);
      return NONE;
    });
  }

  private oddOrders(rows: readonly OrderRecord[], unbooked: ReadonlySet<string>): readonly OrderRecord[] {
    // One that filled after it was given up is booked when its trade is shown, unless that is one that nobody books.
    return rows.filter((row) => {
      const conflict = this.conflictOf(row);
      if (conflict?.cause !== "late_fill") return conflict !== undefined;
      return unbooked.has(this.lives.submissions.idOf(row) ?? "");
    });
  }

  private conflictOf(row: OrderRecord): Conflict | undefined {
    const { submissions } = this.lives;
    const id = submissions.idOf(row);
    const state = id === undefined ? undefined : submissions.stateOf(id);
    return id === undefined || state === undefined ? undefined : orderConflict(id, state, row);
  }

  private ownerOf(row: TradeRecord): Held | undefined {
    const { submissions } = this.lives;
    const id = submissions.idOf(row);
    return id === undefined ? undefined : submissions.findShown(id);
  }

  /** Says whether all rows are known. */
  orders(rows: readonly OrderRecord[], now: Moment, out: Effects): boolean {
    const { submissions } = this.lives;
    let isAllOurs = true;
    const seen = this.seen();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as OrderRecord;
      const id = submissions.idOf(row);
      const state = id === undefined ? undefined : submissions.stateOf(id);
      if (id === undefined || state === undefined) {
        isAllOurs = false;
        continue;
      }
      const conflict = orderConflict(id, state, row);
      if (conflict === undefined || this.foreign.isAccepted(orderRow(row), seen)) continue;
      this.lives.halt(haltOf(conflict, submissions.open), now.mono);
      out.ask({ witness: "trades", asset: undefined, class: "doubt" });
    }
    return isAllOurs;
  }
}

function rowsOf(
  held: Held,
  rows: readonly TradeRecord[],
  owners: readonly Held[],
  from: number,
): readonly TradeRecord[] {
  return rows.filter((_, n) => n >= from && owners[n] === held);
}

function oddOf(held: Held, rows: readonly TradeRecord[]): readonly TradeRecord[] {
  return rows.filter((row) => !isKnown(held, row));
}

/** Another fee of the same trade: what was ordered is what was told. */
function isSameTrade(known: Fill, seen: Fill): boolean {
  const { tradeId } = seen;
  return tradeId !== undefined && tradeId === known.tradeId && isSameFill(known, { ...seen, fee: known.fee });
}

/** History has shown just this before. */
function isKnown({ state }: Submission, row: TradeRecord): boolean {
  if (state.kind !== "settled" && state.kind !== "confirmed" && state.kind !== "zombie") return false;
  const fill = state.receipt as Fill;
  return fill.tradeId === row.tradeId && isSameFill(fill, row);
}
