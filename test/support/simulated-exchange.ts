// The Exchange port on the simulator's core, in process: no socket, no signature, no text. Time is virtual, network delays
// come from the seed, and every call passes the same budget and the same hooks, in the same order, as over HTTP.

import { createHash } from "node:crypto";
import type { Balance } from "../../src/domain/balance.ts";
import type { Quote } from "../../src/domain/quote.ts";
import { ok } from "../../src/domain/result.ts";
import type { Clock, Millis, Timers } from "../../src/domain/time.ts";
import type { Budget, Slot } from "../../src/exchange/budget/budget.ts";
import type { MoneyVerdict } from "../../src/exchange/classify.ts";
import { capability, venueTimeFirst } from "../../src/exchange/client.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { addPaymentRail } from "../../src/exchange/endpoint/add-payment-rail.ts";
import type { MoneyEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import type {
  Exchange,
  Failure,
  ListedAsset,
  MoneyWant,
  Nonce,
  OrderRecord,
  Outcome,
  Reading,
  TradeRecord,
  Want,
} from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import type { VenueCalls } from "../../src/simulator/core/calls.ts";
import type {
  AssetListing,
  BalanceRow,
  FloatQuote,
  Moment,
  OrderRow,
  TradeRow,
} from "../../src/simulator/core/record.ts";
import type { Answer, Form } from "../../src/simulator/core/refusal.ts";
import * as told from "../../src/simulator/port-rows.ts";
import type { Served, VenueLine } from "../../src/simulator/venue-line.ts";

export type SimulatedParts = {
  readonly line: VenueLine;
  /** The account's key as it is registered with the venue. */
  readonly key: string;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly timers: Timers;
};

type Ask<R> = (venue: VenueCalls, moment: Moment) => Answer<R>;

/** Stands in the records of sending where a host would. */
const HOST = "in-process";

export function createSimulatedExchange({ line, key, budget, clock, timers }: SimulatedParts): Exchange {
  const withTime = venueTimeFirst(budget, (want) => list("/client/assets", want, (venue) => ok(venue.assets()), asset));

  async function read<R, T>(
    call: string,
    want: Want,
    ask: Ask<R>,
    tell: (value: R, receivedAt: Millis) => T,
  ): Promise<Reading<T>> {
    const signed = call.startsWith("/private/");
    const late = signed ? await withTime(want) : undefined;
    if (late !== undefined) return { kind: "failed", failure: late };
    const shared = await budget.share({ ...want, key: call }, async (slot): Promise<Reading<T>> => {
      const drawn = signed ? slot.nonce() : undefined;
      if (drawn?.ok === false) return unsent(slot, "no-nonce", drawn.error);
      if (!slot.held()) return unsent(slot, "refused", SLOT_LOST);
      const { verdict, date } = await travelled(slot, line.read(ask, tell, exactTime(clock)));
      if (verdict.kind === "failed") return verdict;
      return { kind: "read", value: verdict.value, at: date, receivedAt: clock.now(), nonce: drawn?.value };
    });
    return shared.ok ? shared.value : { kind: "dropped", reason: shared.error };
  }

  function list<R, T>(
    call: string,
    want: Want,
    ask: Ask<readonly R[]>,
    tell: (row: R, receivedAt: Millis) => T,
  ): Promise<Reading<readonly T[]>> {
    return read(call, want, ask, (rows, receivedAt) => rows.map((row) => tell(row, receivedAt)));
  }

  async function move<T>(
    endpoint: MoneyEndpoint<T>,
    want: MoneyWant,
    send: (at: number, sent: string) => Served<MoneyVerdict<T>>,
  ): Promise<Outcome<T>> {
    const late = await withTime(want);
    if (late !== undefined) return { kind: "not-sent", code: late.code, reason: late.message };
    const taken = await budget.take(want);
    if (!taken.ok) return { kind: "not-sent", code: "dropped", reason: taken.error };
    const slot = taken.value;
    const ready = prepared(slot, endpoint, want);
    if (ready.kind !== "ready") {
      slot.end({ kind: "unspent" });
      return ready;
    }
    const { nonce, sent } = ready;
    const { verdict } = await travelled(slot, send(exactTime(clock), sent));
    if (verdict.kind === "not-sent") return verdict;
    return verdict.kind === "doubt" ? { ...verdict, nonce } : { ...verdict, nonce, receivedAt: clock.now() };
  }

  function prepared<T>(slot: Slot, endpoint: MoneyEndpoint<T>, want: MoneyWant): Prepared {
    const now = clock.now();
    const outdated = want.recheck(now);
    if (outdated !== undefined) return { kind: "not-sent", code: "outdated", reason: outdated };
    const body = endpoint.body(presets.contract, now);
    if (!body.ok) return { kind: "not-sent", code: "invalid", reason: body.error };
    const nonce = slot.nonce();
    if (!nonce.ok) return { kind: "not-sent", code: "no-nonce", reason: nonce.error };
    const { sent } = body.value;
    const unrecorded = recordSending(want, nonce.value, sent);
    if (unrecorded !== undefined) return { kind: "not-sent", code: "not-recorded", reason: unrecorded };
    const refusal = slot.held() ? want.lastCheck() : SLOT_LOST;
    return refusal === undefined
      ? { kind: "ready", nonce: nonce.value, sent }
      : { kind: "not-sent", code: "refused", reason: refusal };
  }

  /** The answer is there when its time has passed; then the slot ends. What the line gave is read before: it is not ours to keep. */
  async function travelled<V extends { kind: string; failure?: Failure }>(
    slot: Slot,
    { verdict, tookMs, isAnswered, date }: Served<V>,
  ): Promise<{ readonly verdict: V; readonly date: Millis | undefined }> {
    await new Promise<void>((resolve) => void timers.after(tookMs, resolve));
    if (!isAnswered) {
      slot.end({ kind: "abandoned" });
      return { verdict, date: undefined };
    }
    budget.observe(date, clock.now());
    slot.end({ kind: "answered", rateLimited: verdict.failure?.code === "rate-limited" });
    return { verdict, date };
  }

  return {
    assets: (want) => list("/client/assets", want, (venue) => ok(venue.assets()), asset),
    pairs: (want) => list("/client/tradingPairs", want, (venue) => ok(venue.pairs()), told.pair),
    quotes: async (want) =>
      capability(await list("/client/quotes", want, (venue, moment) => venue.quotes(moment), quote)),
    balances: (want) => list("/private/accountBalance", want, (venue, at) => venue.balances(key, at), balance),
    orders: (want) => list("/private/queryOrders", want, (venue, at) => venue.orders(key, at), order),
    trades: (want) => list("/private/queryTrades", want, (venue, at) => venue.trades(key, at), trade),
    rails: (want) => list("/private/queryPaymentRails", want, (venue, at) => venue.rails(key, at), told.listedRail),
    payments: (want) => list("/private/queryPayments", want, (venue, at) => venue.payments(key, at), told.payment),
    supplyChanges: (asset, want) =>
      read(
        `/private/querySupplyChanges ${asset}`,
        want,
        (venue, at) => venue.supplyChanges(key, { asset }, at),
        told.supplyChanges,
      ),
    withdrawAddresses: (want) =>
      list("/private/withdrawAddresses", want, (venue) => venue.withdrawAddresses(key), told.address),
    depositAddress: async (asset, blockchain, want) =>
      capability(
        await read(
          `/private/depositAddress ${asset} ${blockchain}`,
          want,
          (venue) => venue.depositAddress(key, { asset, blockchain }),
          (address) => address,
        ),
      ),
    addOrder: (order, want) => move(addOrder(order), want, (at) => line.order(key, order, at)),
    mintTokens: (mint, want) => move(mintTokens(mint), want, (at, sent) => line.mint(key, formOf(sent), at)),
    addPaymentRail: (rail, want) =>
      move(addPaymentRail(rail), want, (at, sent) => line.rail(key, JSON.parse(sent), at)),
  };
}

type Prepared =
  | { readonly kind: "ready"; readonly nonce: Nonce; readonly sent: string }
  | Extract<Outcome<never>, { kind: "not-sent" }>;

const SLOT_LOST = "the slot was lost to another process";

function unsent(slot: Slot, code: string, message: string): Reading<never> {
  slot.end({ kind: "unspent" });
  return { kind: "failed", failure: { code, status: undefined, venueCode: undefined, message } };
}

/** A reason when the record is not on disk: then nothing may be sent. */
function recordSending(want: MoneyWant, nonce: Nonce, sent: string): string | undefined {
  try {
    want.sending({ nonce, digest: createHash("sha256").update(sent).digest("hex"), host: HOST });
    return undefined;
  } catch (error) {
    return `the record of sending could not be written: ${error instanceof Error ? error.message : "unknown error"}`;
  }
}

/** The wall clock is cut to the millisecond; what is missing is what the other clock shows, where both move together. */
function exactTime(clock: Clock): number {
  const now = clock.now();
  return Number.isInteger(now) ? now + (clock.monotonic() % 1) : now;
}

function formOf(sent: string): Form {
  return Object.fromEntries(new URLSearchParams(sent));
}

// The lists in the words of the port; src/simulator/port-rows.ts has the rest.

function asset({ asset, name }: AssetListing): ListedAsset {
  return { asset, name, blockchains: undefined };
}

function quote(row: FloatQuote, receivedAt: Millis): Quote {
  return { ...row, source: "venue", at: undefined, receivedAt };
}

function balance({ asset, available, pending }: BalanceRow): Balance {
  return { asset, available, pending };
}

function order(row: OrderRow): OrderRecord {
  const { clientOrderId, orderId, status, symbol, side, quantity, limit, at } = row;
  return { clientOrderId, orderId, status, symbol, side, quantity, limit, at };
}

function trade(row: TradeRow): TradeRecord {
  const { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, status, at } = row;
  return { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, status, at };
}
