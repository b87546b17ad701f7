// Which feeds of a configuration are one source under two names.

import { expect, it } from "vitest";
import { priceRulesOf } from "../../src/app/feeds/price-rules.ts";
import { marketSchema } from "../../src/config/section/market.ts";

it("Kraken's own reader and ccxt's Kraken have one origin, other exchanges and files their own", () => {
  const symbols = ["GBP/USD"];
  const market = marketSchema.parse({
    references: [
      { kind: "kraken-rest", name: "line", symbols },
      { kind: "ccxt", name: "third", symbols, exchange: "kraken" },
      { kind: "ccxt", name: "stamp", symbols, exchange: "bitstamp" },
      { kind: "recorded", name: "past", symbols, file: "data/one.csv" },
      { kind: "recorded", name: "again", symbols, file: "data/one.csv" },
    ],
  });
  const origins = priceRulesOf({ mode: "paper", market }).origins;
  const of = (name: string) => origins?.get(name);
  expect(new Set(["line", "third"].map(of)).size).toBe(1);
  expect(of("past")).toBe(of("again"));
  expect(new Set(["line", "stamp", "past"].map(of)).size).toBe(3);
});
