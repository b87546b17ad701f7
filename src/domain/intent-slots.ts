// Order intents by their places, without an object for any of them: what has ended is kept by the ten thousand and hardly ever
// asked for, and objects that live that long are copied, marked and swept, while texts and numbers side by side are not.

import type { PairSymbol } from "./asset.ts";
import { emptyList } from "./empty-list.ts";
import { AmountSlots } from "./money/money.ts";
import type { ClientOrderId, Side } from "./order.ts";
import { makeRoom, SLOTS_MIN, withRoom } from "./slots.ts";
import type { OrderIntent } from "./step.ts";
import { millis } from "./time.ts";

/** Of each: its id, symbol, side and reason; when it was decided and when it expires; its quantity and limit. */
const TEXTS = 4;
const TIMES = 2;
const AMOUNTS = 2;

export class IntentSlots {
  private readonly texts = emptyList<string | undefined>();
  private times = new Float64Array(SLOTS_MIN);
  private readonly amounts = new AmountSlots();

  put(place: number, intent: OrderIntent): void {
    const { texts, amounts } = this;
    const text = place * TEXTS;
    makeRoom(texts, text + TEXTS - 1);
    texts[text] = intent.clientOrderId;
    texts[text + 1] = intent.symbol;
    texts[text + 2] = intent.side;
    texts[text + 3] = intent.reason;
    const time = place * TIMES;
    if (time + 1 >= this.times.length) this.times = withRoom(this.times, time + 1);
    this.times[time] = intent.decidedAt;
    this.times[time + 1] = intent.expiresAt;
    amounts.putQuantity(place * AMOUNTS, intent.quantity);
    amounts.putPrice(place * AMOUNTS + 1, intent.limit);
  }

  /** Undefined where there is none. */
  idAt(place: number): ClientOrderId | undefined {
    return this.texts[place * TEXTS] as ClientOrderId | undefined;
  }

  isOf(place: number, symbol: PairSymbol, side: Side): boolean {
    const text = place * TEXTS;
    return this.texts[text + 1] === symbol && this.texts[text + 2] === side;
  }

  at(place: number): OrderIntent | undefined {
    const { texts, times, amounts } = this;
    const clientOrderId = this.idAt(place);
    if (clientOrderId === undefined) return undefined;
    return {
      clientOrderId,
      symbol: texts[place * TEXTS + 1] as PairSymbol,
      side: texts[place * TEXTS + 2] as Side,
      quantity: amounts.quantity(place * AMOUNTS),
      limit: amounts.price(place * AMOUNTS + 1),
      reason: texts[place * TEXTS + 3] as string,
      decidedAt: millis(times[place * TIMES] as number),
      expiresAt: millis(times[place * TIMES + 1] as number),
    };
  }

  /** There is none at that place any more. */
  clear(place: number): void {
    this.texts.fill(undefined, place * TEXTS, (place + 1) * TEXTS);
  }
}
