// Which feeds of a configuration are one source under two names.

import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { priceRulesOf } from "../../src/app/feeds/price-rules.ts";
import { marketSchema } from "../../src/config/section/market.ts";
import { temporaryFolder } from "../journal/place.ts";

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

it("one recording through a link, under a second name or as a copy is one source", () => {
  const folder = temporaryFolder();
  const [file, link, hard, copy, other, gone] = ["a", "b", "c", "d", "e", "f"].map((name) =>
    join(folder, `${name}.csv`),
  ) as [...string[]] & { length: 6 };
  writeFileSync(file as string, "one");
  symlinkSync(file as string, link as string);
  linkSync(file as string, hard as string);
  writeFileSync(copy as string, "one");
  writeFileSync(other as string, "two");
  const feeds = [file, link, hard, copy, other, gone].map((path, i) => ({
    ...{ kind: "recorded", name: `tape${i}`, symbols: ["GBP/CHF"], file: path },
  }));
  const origins = priceRulesOf({ mode: "paper", market: marketSchema.parse({ references: feeds }) }).origins;
  const [first, ...others] = feeds.map(({ name }) => origins?.get(name));
  expect(others.map((origin) => origin === first)).toEqual([true, true, true, false, false]);
  expect(new Set(others).size).toBe(3);
});
