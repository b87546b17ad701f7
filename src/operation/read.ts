// The venue's own lists, asked for now: the owner reads them for the caller, with a slot of its bucket.

import { z } from "zod";
import { type Asset, parseAsset } from "../domain/asset.ts";
import { CommandFailure, plainFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import type { Money } from "../domain/money/money.ts";
import { err, ok } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import type { Millis } from "../domain/time.ts";
import { type Exchange, type ListedAsset, type Reading, unreadText } from "../exchange/port.ts";
import { operation } from "./operation.ts";

const asset = z.string().refine((text) => parseAsset(text).ok, "must be an asset, like VCHF");
const blockchain = z.string().min(1).max(20);
const names = ["assets", "pairs", "quotes", "balances", "orders", "trades", "payments", "rails", "addresses"] as const;

const input = z.discriminatedUnion("list", [
  z.strictObject({ list: z.enum(names) }),
  z.strictObject({ list: z.literal("supply"), asset }),
  z.strictObject({ list: z.literal("deposit"), asset, blockchain }),
]);
export type ReadInput = z.output<typeof input>;

const rows = z.object({
  /** Each with the same names; null where the venue left the field out. */
  rows: z.array(z.record(z.string(), z.string().nullable())),
  problems: z.array(z.string()),
});
export type ReadRows = z.output<typeof rows>;

export const read = operation({
  name: "read",
  sentence: "Asks the venue for one of its lists",
  scope: "read",
  isForSocket: true,
  input,
  answer: rows,
  act: async ({ exchange }, wanted) =>
    exchange === undefined ? err("the venue is not opened here") : ok(await rowsOf(exchange, wanted)),
});

export async function rowsOf(exchange: Exchange, wanted: ReadInput): Promise<ReadRows> {
  const { ask, shown } = listOf(wanted);
  const reading = await ask(exchange);
  if (reading.kind !== "read") throw refusal(reading);
  const text = (value: unknown): string | null => (value === undefined ? null : String(value));
  return {
    rows: reading.value.map((row) =>
      Object.fromEntries(Object.entries(shown(row)).map(([name, value]) => [name, text(value)])),
    ),
    problems: (reading.problems ?? []).map((problem) => printable(unreadText(problem), 800)),
  };
}

function refusal(reading: Exclude<Reading<unknown>, { kind: "read" }>): CommandFailure {
  if (reading.kind === "dropped") return plainFailure(`not asked: ${reading.reason}`);
  const { code, status, message } = reading.failure;
  // A status of 4xx is the venue's answer to this request; anything else is a transport problem.
  const refused = status !== undefined && status >= 400 && status < 500 && code !== "rate-limited";
  const text = `${code}: ${message}`;
  return new CommandFailure(refused ? exitCode.refused : exitCode.failed, text, "pegbot doctor finds out why");
}

type List<T> = {
  readonly ask: (exchange: Exchange) => Promise<Reading<readonly T[]>>;
  /** The fields of a row, which are the titles in words. */
  readonly shown: (row: T) => Readonly<Record<string, unknown>>;
};

function list<T>(ask: List<T>["ask"], shown: List<T>["shown"]): List<unknown> {
  return { ask, shown } as List<unknown>;
}

/** A person waits for it: it takes turns with the bot's quotes, by age. */
const AWAITED = { class: "quote" } as const;

function listOf(wanted: ReadInput): List<unknown> {
  switch (wanted.list) {
    case "supply":
      return list(
        (exchange) => exchange.supplyChanges(wanted.asset as Asset, AWAITED),
        ({ at, asset, blockchain, quantity, status, reason, requestId, transactionId }) => ({
          ...{ at: timeText(at), asset, blockchain, quantity, status, reason, requestId, transactionId },
        }),
      );
    case "deposit":
      return list(
        async (exchange) => {
          const reading = await exchange.depositAddress(wanted.asset as Asset, wanted.blockchain, AWAITED);
          return reading.kind === "read" ? { ...reading, value: [reading.value] } : reading;
        },
        (address) => ({ asset: wanted.asset, blockchain: wanted.blockchain, address }),
      );
    default:
      return LISTS[wanted.list];
  }
}

const LISTS: Readonly<Record<(typeof names)[number], List<unknown>>> = {
  assets: list(
    (exchange) => exchange.assets(AWAITED),
    ({ asset, name, blockchains }) => ({ asset, name, blockchains: blockchains?.map(chainText).join(" ") }),
  ),
  pairs: list(
    (exchange) => exchange.pairs(AWAITED),
    ({ symbol, status, quantityMin: minimum, quantityDecimals, priceDecimals }) => ({
      ...{ symbol, status, minimum, quantityDecimals, priceDecimals },
    }),
  ),
  quotes: list(
    (exchange) => exchange.quotes(AWAITED),
    ({ symbol, bidSize, bid, ask, askSize }) => ({
      ...{ symbol, bidSize, bid, ask, askSize },
      spreadBps: (((ask - bid) / ((ask + bid) / 2)) * 10_000).toFixed(2),
    }),
  ),
  balances: list(
    (exchange) => exchange.balances(AWAITED),
    ({ asset, available, pending }) => ({ asset, available, pending }),
  ),
  orders: list(
    (exchange) => exchange.orders(AWAITED),
    ({ at, symbol, side, quantity, limit, status, orderId, clientOrderId }) => ({
      ...{ at: timeText(at), symbol, side, quantity, limit, status, orderId, clientOrderId },
    }),
  ),
  trades: list(
    (exchange) => exchange.trades(AWAITED),
    ({ at, symbol, side, bought, sold, fee, status, tradeId, clientOrderId }) => ({
      ...{ at: timeText(at), symbol, side, bought: moneyText(bought), sold: moneyText(sold), fee: moneyText(fee) },
      ...{ status, tradeId, clientOrderId },
    }),
  ),
  payments: list(
    (exchange) => exchange.payments(AWAITED),
    ({ at, railId, paymentId, amount, status }) => ({
      ...{ at: timeText(at), railId, paymentId, amount: amount && moneyText(amount), status },
    }),
  ),
  rails: list(
    (exchange) => exchange.rails(AWAITED),
    ({ railId, status, reason }) => ({ railId, status, reason }),
  ),
  addresses: list(
    (exchange) => exchange.withdrawAddresses(AWAITED),
    ({ asset, blockchain, label, status, address }) => ({ asset, blockchain, label, status, address }),
  ),
};

/** Inactive chains are shown in parentheses. */
function chainText({ blockchain, active }: NonNullable<ListedAsset["blockchains"]>[number]): string {
  return active ? blockchain : `(${blockchain})`;
}

function moneyText(money: Money): string {
  return `${money} ${money.asset}`;
}

function timeText(at: Millis | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
