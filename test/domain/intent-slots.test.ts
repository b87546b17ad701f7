import { expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { IntentSlots } from "../../src/domain/intent-slots.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import { createRandom } from "../../src/domain/random.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";

const SEED = 20_261_115;
/** Also beyond what two floats hold. */
const AMOUNTS = ["1", "0.000000000000000001", "100.05", "8999999999.999999", "9000000001", "123456789012345678.5"];

test("intents come back from their places as they were put there, to the last digit, until another takes the place", () => {
  const random = createRandom(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  const slots = new IntentSlots();
  const put = new Map<number, OrderIntent>();
  for (let turn = 0; turn < 2_000; turn++) {
    const place = Math.floor(random.next() * 300);
    if (random.next() < 0.2) {
      slots.clear(place);
      put.delete(place);
    } else {
      const intent: OrderIntent = {
        clientOrderId: `T-${turn}` as ClientOrderId,
        symbol: pick(["VCHF/CHF", "VEUR/EUR"]) as PairSymbol,
        side: pick(["buy", "sell"]),
        quantity: Quantity.of(pick(AMOUNTS)),
        limit: Price.of(pick(AMOUNTS)),
        reason: `reason ${turn}`,
        decidedAt: millis(1_760_000_000_000 + turn),
        expiresAt: millis(random.next() < 0.1 ? Number.POSITIVE_INFINITY : 1_760_000_003_000 + turn),
      };
      slots.put(place, intent);
      put.set(place, intent);
    }
    const looked = Math.floor(random.next() * 310);
    const known = put.get(looked);
    expect(slots.at(looked), `seed ${SEED}`).toEqual(known);
    expect(slots.idAt(looked)).toBe(known?.clientOrderId);
    for (const symbol of ["VCHF/CHF", "VEUR/EUR"] as PairSymbol[])
      for (const side of ["buy", "sell"] as const)
        expect(slots.isOf(looked, symbol, side)).toBe(known?.symbol === symbol && known.side === side);
  }
});
