import { expect, test } from "vitest";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Side } from "../../src/domain/order.ts";
import type { RailRequest } from "../../src/domain/rail.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import type { Clock, Timers } from "../../src/domain/time.ts";
import type { Exchange, OutgoingOrder, Want } from "../../src/exchange/port.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import { openInProcess } from "../support/in-process.ts";
import { openLockstep } from "../support/lockstep.ts";
import { paying } from "../support/wire.ts";

type Rig = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly timers: Timers;
  pass(ms: number): Promise<void>;
};

const PRICES: Readonly<Record<string, readonly [number, number]>> = {
  "VCHF/CHF": [1, 6],
  "VCHF/USDC": [1.25, 6],
  "VGBP/GBP": [1, 6],
  "VGBP/VCHF": [1.06, 6],
  "USDC/CHF": [0.8, 6],
  "VCHF/BTC": [0.00001, 10],
  "XXX/CHF": [1, 6],
};
const WALLET = "0x00000000000000000000000000000000000000aa";
const operations = 120;
const want: Want = { class: "quote" };

/** A caller without sense: every call of the port at random, good and bad; what it was told, line by line. */
async function told(seed: number, rig: Rig): Promise<readonly string[]> {
  const { exchange, clock, timers } = rig;
  const root = createRandom(seed).fork("caller");
  const lines: string[] = [];
  let done = 0;
  async function act(i: number): Promise<void> {
    const random = root.fork(`${i}`);
    await new Promise<void>((resolve) => void timers.after(random.integer(0, 2_500), resolve));
    const records: unknown[] = [];
    const answer = await call(exchange, random, i, (record) => records.push(record));
    lines.push(`${i} ${clock.monotonic()} ${JSON.stringify([records, answer], byName)}`);
    done += 1;
  }
  // Two at a time, so that they compete for slots and share reads.
  const callers = [0, 1].map(async (lane) => {
    for (let i = lane; i < operations; i += 2) await act(i);
  });
  for (let minutes = 0; done < operations && minutes < 60; minutes++) await rig.pass(60_000);
  await Promise.all(callers);
  return lines;
}

function call(
  exchange: Exchange,
  random: Random,
  i: number,
  record: (sending: { nonce: number; digest: string }) => void,
): Promise<unknown> {
  const money = paying({ sending: ({ nonce, digest }) => record({ nonce, digest }) });
  const draw = random.next();
  if (draw < 0.45) return exchange.addOrder(orderOf(random, i), money);
  if (draw < 0.5) return exchange.mintTokens(mintOf(random), money);
  if (draw < 0.55) return exchange.addPaymentRail(railOf(random), money);
  const asset = (random.next() < 0.8 ? "VCHF" : "XXX") as Asset;
  const reads = [
    () => exchange.quotes(want),
    () => exchange.balances(want),
    () => exchange.trades(want),
    () => exchange.orders(want),
    () => exchange.pairs(want),
    () => exchange.assets(want),
    () => exchange.rails(want),
    () => exchange.payments(want),
    () => exchange.supplyChanges(asset, want),
    () => exchange.withdrawAddresses(want),
    () => exchange.depositAddress(asset, "ETH", want),
  ] as const;
  return (reads[random.integer(0, reads.length - 1)] as () => Promise<unknown>)();
}

function orderOf(random: Random, i: number): OutgoingOrder {
  const symbols = Object.keys(PRICES);
  const symbol = symbols[random.integer(0, symbols.length - 1)] as string;
  const [fair, decimals] = PRICES[symbol] as [number, number];
  const around = fair * (1 + (random.next() < 0.9 ? 0.02 : 0.4) * (random.next() - 0.5));
  return {
    clientOrderId: (random.next() < 0.1 ? "again" : `c-${i}`) as ClientOrderId,
    symbol: symbol as PairSymbol,
    side: (random.next() < 0.5 ? "buy" : "sell") as Side,
    quantity: Quantity.ofSteps(random.integer(1, random.next() < 0.8 ? 20_000_000 : 2_000_000_000), 5),
    limit: Price.ofSteps(Math.max(1, Math.round(around * 10 ** decimals)), decimals),
  };
}

function mintOf(random: Random) {
  const asset = (random.next() < 0.8 ? "VCHF" : "USDC") as Asset;
  return { asset, blockchain: "ETH", quantity: Quantity.of(`${random.integer(50_000, 160_000)}.37`) };
}

function railOf(random: Random): RailRequest {
  return {
    type: random.next() < 0.5 ? "StablecoinToFiat" : "FiatToStablecoin",
    sender: { name: "Zürich AG", country: random.next() < 0.7 ? "CH" : "XX", type: "company" },
    destination: random.next() < 0.5 ? "CH9300762011623852957" : WALLET,
    memo: undefined,
    asset: "VCHF" as Asset,
    currency: "CHF" as Asset,
    blockchain: "ETH",
  };
}

const late = { chance: 0.15, minMs: 1, maxMs: 40_000 };
const settings: Partial<VenueSettings> = { duplicateClientOrderId: "refuse" };
const VARIANTS: Readonly<Record<string, Partial<VenueSettings>>> = {
  quiet: settings,
  faulty: {
    ...settings,
    faults: {
      publicationDelay: late,
      balanceLagMs: 1_500,
      mintHoldChance: 0.3,
      railHoldChance: 0.3,
    },
  },
};

/** Fields in the order of their names: in which order a record was made says nothing. */
function byName(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

test.each([
  ["quiet", 1],
  ["faulty", 3],
] as const)(
  "in process a client is told what HTTP tells it, at the same times (%s venue, seed %i)",
  async (name, seed) => {
    const given = VARIANTS[name] ?? {};
    const inProcess = openInProcess({ seed, settings: given });
    const here = await told(seed, inProcess);
    await inProcess.close();
    const lockstep = await openLockstep({ seed, simulator: { settings: given } });
    const there = await told(seed, lockstep);
    await lockstep.close();
    expect(here.length).toBe(operations);
    for (const kind of ["accepted", "rejected", "doubt", "read", "failed"])
      expect(
        here.some((line) => line.includes(`"kind":"${kind}"`)),
        kind,
      ).toBe(true);
    expect(here).toEqual(there);
  },
);
