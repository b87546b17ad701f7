// The real client on real sockets, with timers in the hands of the test where they matter, and a budget without pacing (except where a test is about
// pacing), and the orders, mints and rails that tests send through it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId } from "../../src/domain/order.ts";
import type { RailRequest } from "../../src/domain/rail.ts";
import { ok, type Result } from "../../src/domain/result.ts";
import { type Clock, millis, mono, type Timers } from "../../src/domain/time.ts";
import type { Budget, Slot } from "../../src/exchange/budget/budget.ts";
import type { SlotEnd } from "../../src/exchange/budget/pacing.ts";
import { createExchange, type WireExchange } from "../../src/exchange/client.ts";
import { createSigner, type Signer } from "../../src/exchange/key/signer.ts";
import type {
  MoneyWant,
  Nonce,
  Outcome,
  OutgoingOrder,
  Reading,
  SendingRecord,
  Want,
} from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { createTransport, type TransportSettings, transportDefaults } from "../../src/exchange/wire/transport.ts";
import { type FaultServer, faultServer, type Script } from "./fault-server.ts";

export const realClock: Clock = { now: () => millis(Date.now()), monotonic: () => mono(performance.now()) };

export const realTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export type HandTimers = Timers & {
  /** Lets every timer of this delay run out. */
  expire(delayMs: number): void;
};

/** Nothing runs out unless the test says so: time-outs are met without waiting, and never by accident. */
export function handTimers(): HandTimers {
  const waiting = new Set<{ delayMs: number; run: () => void }>();
  return {
    after(delayMs, run) {
      const entry = { delayMs, run };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    expire(delayMs) {
      for (const entry of [...waiting]) {
        if (entry.delayMs !== delayMs) continue;
        waiting.delete(entry);
        entry.run();
      }
    },
  };
}

export const pause = (ms: number): Promise<void> => sleep(ms);

export type OpenBudget = Budget & {
  readonly ends: SlotEnd[];
  readonly observed: number[];
  lost: boolean;
  needsTime: boolean;
  nonceError: string | undefined;
};

/** A slot for everyone, one at a time, at once. */
export function openBudget(firstNonce = 1_000): OpenBudget {
  let nonce = firstNonce;
  let tail: Promise<void> = Promise.resolve();
  const budget: OpenBudget = {
    ends: [],
    observed: [],
    lost: false,
    needsTime: false,
    nonceError: undefined,
    async take(): Promise<Result<Slot>> {
      const before = tail;
      let release = (): void => {};
      tail = new Promise((resolve) => {
        release = resolve;
      });
      await before;
      let ended = false;
      return ok({
        nonce: () => (budget.nonceError === undefined ? ok(++nonce as Nonce) : { ok: false, error: budget.nonceError }),
        held: () => !budget.lost,
        end(end) {
          if (ended) throw new Error("a slot must end once");
          ended = true;
          budget.ends.push(end);
          release();
        },
      });
    },
    async share(want, send) {
      const slot = await budget.take(want);
      return slot.ok ? ok(await send(slot.value)) : slot;
    },
    observe(venueTime) {
      budget.observed.push(venueTime);
      budget.needsTime = false;
    },
    needsVenueTime: () => budget.needsTime,
    close() {},
  };
  return budget;
}

export function testSigner(portalPublicKey?: string): Signer {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
  return createSigner("p256", secret, portalPublicKey);
}

export type WireOptions = {
  readonly profile?: Partial<Profile>;
  readonly signer?: Signer;
  readonly budget?: OpenBudget;
  readonly clock?: Clock;
  readonly timers?: Timers;
} & Partial<TransportSettings>;

export type Wired = { readonly exchange: WireExchange; readonly budget: OpenBudget };

export function wired(baseUrl: URL, options: WireOptions = {}): Wired {
  const { profile, signer = testSigner(), budget = openBudget(), ...rest } = options;
  const { clock = realClock, timers = realTimers, ...limits } = rest;
  const settings = { reach: "loopback", ...transportDefaults, ...limits } as const;
  const exchange = createExchange({
    clock,
    budget,
    transport: createTransport(baseUrl, { clock, timers }, settings),
    signer,
    profile: { ...presets.contract, ...profile },
    userAgent: "pegbot/test",
    priceDecimals: 6,
  });
  return { exchange, budget };
}

export const reading: Want = { class: "other" };

export type Recorded = MoneyWant & { readonly records: SendingRecord[] };

export function paying(changes: Partial<MoneyWant> = {}): Recorded {
  const records: SendingRecord[] = [];
  return {
    class: "order",
    recheck: () => undefined,
    sending: (record) => void records.push(record),
    lastCheck: () => undefined,
    ...changes,
    records,
  };
}

export const VCHF = "VCHF" as Asset;
export const CHF = "CHF" as Asset;

/** Buys 100 VCHF at 1.01 CHF at most. */
export const order: OutgoingOrder = {
  clientOrderId: "T-abcdefgh-1" as ClientOrderId,
  symbol: "VCHF/CHF" as PairSymbol,
  side: "buy",
  quantity: Quantity.of("100"),
  limit: Price.of("1.01"),
};

/** 100 x 1.005 = 100.5 */
export const filledOrder = {
  clordid: order.clientOrderId,
  ordid: "9001",
  ordstatus: "Filled",
  bought: "100",
  bought_currency: "VCHF",
  sold: "100.5",
  sold_currency: "CHF",
  fee: "0",
  fee_currency: "CHF",
};

export const filledEnvelope = {
  timestamp: "2026-11-15T10:00:00.000Z",
  result: "ok",
  order: filledOrder,
  error: { code: null, message: null },
};

export const mint = { asset: VCHF, blockchain: "ETH", quantity: Quantity.of("120000") };

export const mintReceipt = {
  timestamp: "2026-11-15T10:00:00.000Z",
  txid: "0xfeed",
  requestid: "mint-1",
  fee: "12.5",
  spent: "120012.5",
  spent_currency: "CHF",
};

export const rail: RailRequest = {
  type: "FiatToStablecoin",
  sender: { name: "Zürich AG", country: "CH", type: "company" },
  destination: "0x52908400098527886E0F7030069857D2E4169EE7",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
};

export const railReceipt = { railid: "6fd2a4a6-7d4f-4a3e-9d3b-0f3f6f0c2b11", status: "pending", reason: null };

type Play = { readonly venue: FaultServer } & Wired;

/** Runs a test between a scripted venue and the client, and takes both down afterwards. */
export async function playing(
  script: Script,
  options: WireOptions,
  test: (play: Play) => Promise<void>,
): Promise<void> {
  const venue = await faultServer(script);
  const { exchange, budget } = wired(venue.baseUrl, options);
  try {
    await test({ venue, exchange, budget });
  } finally {
    exchange.close();
    await venue.close();
  }
}

export function codeOf(outcome: Reading<unknown> | Outcome<unknown>): string | undefined {
  if (outcome.kind === "not-sent") return outcome.code;
  return "failure" in outcome ? outcome.failure.code : undefined;
}
