// The real client against a simulator that speaks a profile: one conversation with reads, fills on both sides, a mint and a rail;
// and random mixtures of all switches.

import { expect } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill, Side } from "../../src/domain/order.ts";
import type { Random } from "../../src/domain/random.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import type { WireExchange } from "../../src/exchange/client.ts";
import { createSigner } from "../../src/exchange/key/signer.ts";
import type { OutgoingOrder, Reading, TradeRecord } from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { judgeFills, receiptDifference } from "../../src/execution/evidence.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { createSimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { CHF, openBudget, paying, rail, reading, realClock, realTimers, VCHF, wired } from "../support/wire.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;

/** Every switch with values that differ from one another on the wire. */
export const VALUES: { readonly [S in keyof Profile]: readonly Profile[S][] } = {
  curve: ["p256", "secp256k1"],
  signingOrder: ["path-body-nonce", "body-path-nonce"],
  signingSeparator: ["", "|", "\n"],
  signedPath: ["full", "relative"],
  emptyCall: ["empty", "braces", "braces-signed"],
  signatureBytes: ["der", "raw"],
  signatureText: ["base64url", "base64", "base64url-padded"],
  formCalls: ["form", "json"],
  formNumbers: ["strings", "numbers"],
  tradingPairs: ["get", "post"],
  quotes: ["get", "absent"],
  mintMinimum: ["applies", "waived"],
  mintDestination: ["none", "to_wallet"],
  mintFunding: ["none", "funding"],
  answers: ["contract", "observed"],
  feeMissing: ["none", "zero"],
  feeCurrencyMissing: ["none", "base", "quote", "bought", "sold"],
  paymentAmounts: ["none", "gross"],
  feeInside: ["none", "quote", "base"],
  fillsAt: ["price", "limit"],
  pairStatusMissing: ["none", "online"],
  timesWithoutZone: ["none", "utc"],
  refusals: [[], ["duplicate_clordid"]],
  fields: [{}, { client_ref: "clordid", venue_ref: "ordid", seen_at: "timestamp", charge: "fee" }],
  statuses: [{}, { done: "Filled", parked: "held" }],
};

export type Stage = {
  readonly spoken: Profile;
  speaking(profile: Profile): WireExchange;
  readonly baseUrl: URL;
  close(): Promise<void>;
};

/** A venue that speaks this profile and takes no other. */
export async function venueSpeaking(
  spoken: Profile,
  feeBps = 10,
  settings: Partial<VenueSettings> = {},
): Promise<Stage> {
  const words =
    spoken.statuses.done === undefined ? [] : [{ fault: "other-words", words: { Filled: "done" } } as const];
  const server = await createSimulatorServer({
    clock: realClock,
    timers: realTimers,
    seed: 7,
    pace: { spacingMs: 0 },
    profile: spoken,
    accept: [spoken],
    settings,
    faults: { rules: words },
  });
  const signer = createSigner(
    spoken.curve,
    Uint8Array.from({ length: 32 }, (_, i) => i + 1),
  );
  await setUpAccount(
    server.writer,
    signer.publicKey,
    new Map(Object.entries({ CHF: "1000000", VCHF: "10000", USDC: "10000", BTC: "10" })),
  );
  server.writer.venue.setPair(SYMBOL, { feeBps });
  const { blockchain, destination: address } = rail;
  const whitelisted = {
    asset: VCHF,
    blockchain,
    address,
    label: "ours",
    status: "Confirmed",
    travelRule: { originator: "a", beneficiary: "b" },
  } as const;
  await server.writer.perform((venue) => venue.whitelist(signer.publicKey, whitelisted));
  const budget = openBudget(realClock.now());
  const open: WireExchange[] = [];
  return {
    spoken,
    baseUrl: new URL(server.baseUrl),
    speaking(profile) {
      const { exchange } = wired(new URL(server.baseUrl), { profile, signer, budget });
      open.push(exchange);
      return exchange;
    },
    async close() {
      for (const exchange of open) exchange.close();
      await server.close();
    },
  };
}

export function readFrom<T>(got: Reading<T>): T {
  if (got.kind !== "read") throw new Error(JSON.stringify(got));
  return got.value;
}

export function orderOf(side: Side, id: string): OutgoingOrder & OrderIntent {
  const limit = Price.of(side === "buy" ? "1.02" : "0.98");
  const base = { clientOrderId: id as ClientOrderId, symbol: SYMBOL, side, quantity: Quantity.of("50"), limit };
  const now = realClock.now();
  return { ...base, reason: "conformance", decidedAt: now, expiresAt: now };
}

export type Filled = { readonly order: OrderIntent; readonly fill: Fill };

/** Both sides filled, a mint and a rail, each accepted by its own answer. */
export async function trade(exchange: WireExchange): Promise<readonly Filled[]> {
  const filled: Filled[] = [];
  for (const side of ["buy", "sell"] as const) {
    const order = orderOf(side, `T-abcdefgh-${side === "buy" ? 1 : 2}`);
    const outcome = await exchange.addOrder(order, paying());
    if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
    filled.push({ order, fill: outcome.value });
  }
  const minted = await exchange.mintTokens(
    { asset: VCHF, blockchain: "ETH", quantity: Quantity.of("150000.37") },
    paying(),
  );
  const registered = await exchange.addPaymentRail(rail, paying());
  expect([minted.kind, registered.kind]).toEqual(["accepted", "accepted"]);
  return filled;
}

/** Every list shows what happened, and the trades confirm both fills exactly. */
export async function confirm(exchange: WireExchange, filled: readonly Filled[]): Promise<void> {
  const pairs = readFrom(await exchange.pairs(reading));
  expect(pairs.find(({ symbol }) => symbol === SYMBOL)).toMatchObject({ status: "online", base: VCHF, quote: CHF });
  const balances = readFrom(await exchange.balances(reading));
  expect(balances.map(({ asset }) => asset)).toContain("CHF");
  const trades = readFrom(await exchange.trades(reading));
  expect(trades).toHaveLength(2);
  for (const { order, fill } of filled) {
    const row = trades.find((one) => isOf(one, fill)) as TradeRecord;
    expect(row, JSON.stringify(trades)).toBeDefined();
    expect(judgeFills(order, [row], { receipt: fill })).toMatchObject({ kind: "landed" });
    const listed = { ...row, clientOrderId: fill.clientOrderId };
    expect(receiptDifference("order", fill, listed)).toBeUndefined();
    expect(row.at).toBeDefined();
  }
  const orders = readFrom(await exchange.orders(reading));
  expect(orders.map(({ status }) => status)).toEqual(["Filled", "Filled"]);
  const [change] = readFrom(await exchange.supplyChanges(VCHF, reading));
  expect(String(change?.quantity)).toBe("150000.37");
  expect(readFrom(await exchange.rails(reading))).toMatchObject([{ request: { asset: "VCHF", blockchain: "ETH" } }]);
  expect(readFrom(await exchange.withdrawAddresses(reading))).toMatchObject([{ blockchain: "ETH", label: "ours" }]);
}

function isOf(row: TradeRecord, { clientOrderId, orderId }: Fill): boolean {
  return row.clientOrderId === undefined ? row.orderId === orderId : row.clientOrderId === clientOrderId;
}

/** What a person who knows the venue answers when doctor names a switch. */
export const DECISIONS = [
  "feeMissing",
  "feeCurrencyMissing",
  "pairStatusMissing",
  "timesWithoutZone",
  "quotes",
] as const;
/** Not in any answer to a read, or without effect on what the client sends and reads. */
export const UNSEEN = new Set([
  ...[
    "formNumbers",
    "mintMinimum",
    "mintDestination",
    "mintFunding",
    "paymentAmounts",
    "answers",
    "feeInside",
    "fillsAt",
    "paymentAmounts",
    "refusals",
    "fields",
    "statuses",
  ],
]);

/** What rehearse learns, or a person says. */
const PLAIN = { refusals: [], fields: {}, statuses: {}, feeInside: "none" } as const;

export function mixture(random: Random): Profile {
  const choose = <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)] as T;
  const chosen = Object.entries(VALUES).map(([name, values]) => [name, choose<unknown>(values)]);
  const mixed: Profile = { ...presets.contract, ...Object.fromEntries(chosen), ...PLAIN, refusals: [] };
  // The search of doctor does not try these with another order or separator.
  const isRare = mixed.emptyCall === "braces-signed" || mixed.signatureText === "base64url-padded";
  return isRare ? { ...mixed, signingOrder: "path-body-nonce", signingSeparator: "" } : mixed;
}
