// Orders that have ended in an ordinary way, filled or rejected, by their places and without an object for any of them: all that
// can still be asked of one, and from which it is made whole again.

import type { Asset } from "../../domain/asset.ts";
import { emptyList } from "../../domain/empty-list.ts";
import { IntentSlots } from "../../domain/intent-slots.ts";
import { AmountSlots } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import { makeRoom, SLOTS_MIN, withRoom } from "../../domain/slots.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { millis } from "../../domain/time.ts";
import type { Failure } from "../../exchange/port.ts";
import type { Sentinel } from "../order-evidence.ts";
import type { State } from "../submission.ts";
import { Held, type Numbered, toldOf, traitsOf } from "./held.ts";

/** Who keeps it, the asset of what is at stake; of a fill its ids and assets, of a failure its texts. */
const [KEEPER, STAKED] = [0, 1];
const [ORDER_ID, TRADE_ID, BOUGHT, SOLD, FEE] = [2, 3, 4, 5, 6];
const [CODE, VENUE_CODE, MESSAGE] = [2, 3, 4];
const TEXTS = 7;
/** Its count in its series, 1 where it filled, when it was intended; when it filled, or the status of its failure. */
const [COUNT, FILLED, INTENDED, AT, STATUS] = [0, 1, 2, 3, 3];
const NUMBERS = 4;
/** What is at stake, and what a fill brought and took. */
const AMOUNTS = 4;

/** It is for whoever doubts that an order happened, and of these nobody will. */
const NO_SENTINEL: Sentinel = Object.freeze({ kind: "unknown" });

/** What is left out of these nobody asks for: a settled order is so for good, and a rejected one was never booked. */
export function isOrdinary(held: Held): boolean {
  const { kind, id, state } = held;
  if (kind !== "order" || held.series === undefined) return false;
  const { clientOrderId, symbol, side } = held.request as OrderIntent;
  if (clientOrderId !== id) return false;
  if (state.kind === "rejected") return held.bookedAt === undefined && !held.isMoved;
  if (state.kind !== "settled") return false;
  const fill = state.receipt as Fill;
  return fill.clientOrderId === id && fill.symbol === symbol && fill.side === side;
}

export class FlatOrders {
  private readonly intents = new IntentSlots();
  private readonly series = emptyList<Numbered | undefined>();
  private readonly texts = emptyList<string | undefined>();
  private numbers = new Float64Array(SLOTS_MIN);
  private readonly amounts = new AmountSlots();

  put(place: number, held: Held): void {
    const { series, texts, amounts } = this;
    const { state, value } = held;
    this.intents.put(place, held.request as OrderIntent);
    makeRoom(series, place);
    series[place] = held.series;
    const text = place * TEXTS;
    makeRoom(texts, text + TEXTS - 1);
    texts[text + KEEPER] = held.keeper;
    texts[text + STAKED] = value?.asset;
    if (value !== undefined) amounts.putMoney(place * AMOUNTS, value);
    const number = place * NUMBERS;
    if (number + NUMBERS > this.numbers.length) this.numbers = withRoom(this.numbers, number + NUMBERS);
    this.numbers[number + COUNT] = held.count;
    this.numbers[number + INTENDED] = held.intendedAt;
    if (state.kind === "settled") this.putFill(place, state.receipt as Fill);
    else if (state.kind === "rejected") this.putFailure(place, state);
  }

  private putFill(place: number, { orderId, tradeId, bought, sold, fee, at }: Fill): void {
    const { texts, numbers, amounts } = this;
    const text = place * TEXTS;
    texts[text + ORDER_ID] = orderId;
    texts[text + TRADE_ID] = tradeId;
    texts[text + BOUGHT] = bought.asset;
    texts[text + SOLD] = sold.asset;
    texts[text + FEE] = fee.asset;
    numbers[place * NUMBERS + FILLED] = 1;
    numbers[place * NUMBERS + AT] = at ?? Number.NaN;
    amounts.putMoney(place * AMOUNTS + 1, bought);
    amounts.putMoney(place * AMOUNTS + 2, sold);
    amounts.putMoney(place * AMOUNTS + 3, fee);
  }

  private putFailure(place: number, { code, status, venueCode, message }: Failure): void {
    const { texts, numbers } = this;
    const text = place * TEXTS;
    texts[text + CODE] = code;
    texts[text + VENUE_CODE] = venueCode;
    texts[text + MESSAGE] = message;
    numbers[place * NUMBERS + FILLED] = 0;
    numbers[place * NUMBERS + STATUS] = status ?? Number.NaN;
  }

  /** Undefined where there is none. */
  seriesAt(place: number): Numbered | undefined {
    return this.series[place];
  }

  countAt(place: number): number {
    return this.numbers[place * NUMBERS + COUNT] as number;
  }

  isFilledAt(place: number): boolean {
    return this.numbers[place * NUMBERS + FILLED] === 1;
  }

  idAt(place: number): string | undefined {
    return this.intents.idAt(place);
  }

  /** Of one that filled. */
  orderIdAt(place: number): string {
    return this.texts[place * TEXTS + ORDER_ID] as string;
  }

  /** There is none at that place any more. */
  clear(place: number): void {
    this.series[place] = undefined;
  }

  /** As it was, as far as that matters to one that has ended. */
  at(place: number): Held {
    const order = this.intents.at(place) as OrderIntent;
    const { texts } = this;
    const text = place * TEXTS;
    const staked = texts[text + STAKED] as Asset | undefined;
    const record = {
      id: order.clientOrderId,
      request: { kind: "order", order } as const,
      value: staked === undefined ? undefined : this.amounts.money(place * AMOUNTS, staked),
      at: millis(this.numbers[place * NUMBERS + INTENDED] as number),
    };
    const held = new Held(record, texts[text + KEEPER] as string, NO_SENTINEL);
    held.series = this.series[place];
    held.count = this.countAt(place);
    held.state = this.isFilledAt(place) ? this.settledAt(place, order) : this.rejectedAt(place);
    held.told = toldOf(held.state);
    held.traits = traitsOf("order", held.state.kind);
    return held;
  }

  private settledAt(place: number, { clientOrderId, symbol, side }: OrderIntent): State<Fill> {
    const { texts, amounts } = this;
    const text = place * TEXTS;
    const at = this.numbers[place * NUMBERS + AT] as number;
    const money = (leg: number) => amounts.money(place * AMOUNTS + leg + 1, texts[text + BOUGHT + leg] as Asset);
    const receipt: Fill = {
      clientOrderId,
      orderId: this.orderIdAt(place),
      tradeId: texts[text + TRADE_ID],
      symbol,
      side,
      bought: money(0),
      sold: money(1),
      fee: money(2),
      at: Number.isNaN(at) ? undefined : millis(at),
    };
    return { kind: "settled", receipt };
  }

  private rejectedAt(place: number): State<never> {
    const { texts } = this;
    const text = place * TEXTS;
    const status = this.numbers[place * NUMBERS + STATUS] as number;
    return {
      kind: "rejected",
      code: texts[text + CODE] as string,
      status: Number.isNaN(status) ? undefined : status,
      venueCode: texts[text + VENUE_CODE],
      message: texts[text + MESSAGE] as string,
    };
  }
}
