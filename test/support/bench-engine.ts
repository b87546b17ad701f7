// temporary

import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { createEngine, type Engine } from "../../src/bot/engine.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { createPricing } from "../../src/market/fair.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { anInstrument } from "./instrument.ts";

export function benchEngine(strategy: Strategy, { symbol, currency }: { symbol: PairSymbol; currency: Asset }): Engine {
  const books = { state: "ACTIVE", apply() {}, needsMark: () => false } as never;
  const gate = { monitor: () => [], review() {} } as never;
  const accounts = new Accounts(10);
  const pricing = createPricing({
    par: new Map([[symbol, { bandBps: 50 }]]),
    venueAgeMsMax: 5000,
    referenceAgeMsMax: 5000,
    frozenMsMax: 300_000,
    sourcesMin: 2,
    disagreementBpsMax: 30,
  });
  const engine = createEngine({
    strategy,
    gate,
    books,
    accounts,
    pricing,
    settings: { currency, lifetimeMsMax: 3000 },
  });
  const at = millis(0);
  const vchf = "VCHF" as Asset;
  const amounts = [Money.of("100000", currency), Money.of("100000", vchf)];
  engine.process({ kind: "instruments", instruments: [anInstrument({ symbol })], receivedAt: at });
  engine.process({ kind: "adoption", amounts, reason: "bench", receivedAt: at });
  engine.process({
    kind: "balances",
    balances: amounts.map((available) => ({ asset: available.asset, available, pending: undefined })),
    receivedAt: at,
  });
  return engine;
}
