// The counters as plain data, validated when read back: data that does not fit is corrupt, and nothing is guessed.

import { z } from "zod";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { STOP_CAUSES } from "../../domain/stop-cause.ts";
import { millis } from "../../domain/time.ts";

const time = z.number().int();
const count = z.number().int().min(0);
const text = z.string();
const amount = z.string().regex(/^-?[0-9.]+$/);

const streak = z.strictObject({ count, lastAt: time });

const intent = z.strictObject({
  clientOrderId: text,
  symbol: text,
  side: z.enum(["buy", "sell"]),
  quantity: amount,
  limit: amount,
  reason: text,
  decidedAt: time,
  expiresAt: time,
});

const totals = z.strictObject({
  orders: count,
  fills: count,
  refused: count,
  unvalued: count,
  turnover: amount,
  fees: amount,
  realised: amount,
  brought: amount,
  mintFees: amount,
  railFees: amount,
  unvaluedFees: count,
  placedAtPar: amount.nullable().default(null),
});

const doubt = z.strictObject({ clientOrderId: text, assets: z.array(text), since: time });

const stop = {
  state: z.enum(["ACTIVE", "REDUCED", "HALTED"]),
  reason: text,
  wayOut: text,
  by: text,
  since: time.transform(millis),
  // Absent in ACTIVE.
  cause: z.enum(STOP_CAUSES).optional(),
  subject: text.optional(),
  finding: text.optional(),
};

export const countersData = z.strictObject({
  version: z.literal(1),
  currency: text,
  tradingState: z.strictObject({ ...stop, also: z.array(z.strictObject(stop)).readonly() }),
  day: z.strictObject({
    number: z.number().int().nullable(),
    opening: amount.nullable(),
    orders: count,
    turnover: amount,
    belowPar: amount.optional(),
    fees: amount,
    realised: amount,
    // Absent if no halt was resumed on that day.
    since: time.optional(),
  }),
  sums: z.strictObject({ totals, opened: totals, opening: amount.nullable() }),
  peak: amount.nullable(),
  orderTimes: z.array(time),
  hour: z.array(z.strictObject({ minute: z.number().int(), value: amount })),
  unpricedFills: count,
  rejects: streak.nullable(),
  rejectsBySymbol: z.record(text, streak),
  losses: streak.nullable(),
  recent: z.array(z.strictObject({ at: time, intent })),
  forgottenAt: time.nullable(),
  open: z.array(
    z.strictObject({
      clientOrderId: text,
      value: amount.nullable(),
      rate: amount.nullable(),
      mid: z.number().nullable().default(null),
    }),
  ),
  markouts: z
    .strictObject({
      waiting: z.array(
        z.strictObject({
          symbol: text,
          side: z.enum(["buy", "sell"]),
          mid: z.number().optional(),
          price: z.number().optional(),
          at: time,
        }),
      ),
      last: z.array(z.number()),
    })
    .default({ waiting: [], last: [] }),
  doubts: z.array(doubt),
  filledOrders: count,
  heartbeatAt: time.nullable(),
  lastFee: z.strictObject({ clientOrderId: text, quote: text, fee: amount.nullable(), traded: amount }).nullable(),
});

export type CountersData = z.output<typeof countersData>;
type IntentData = z.output<typeof intent>;

export function intentData(from: OrderIntent): IntentData {
  const { clientOrderId, symbol, side, quantity, limit, reason, decidedAt, expiresAt } = from;
  return {
    clientOrderId,
    symbol,
    side,
    quantity: quantity.toString(),
    limit: limit.toString(),
    reason,
    decidedAt,
    expiresAt,
  };
}

export function intentOf(data: IntentData): OrderIntent {
  return { ...data, quantity: Quantity.of(data.quantity), limit: Price.of(data.limit) } as OrderIntent;
}
