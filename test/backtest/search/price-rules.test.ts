import { expect, it } from "vitest";
import { canonicalText } from "../../../backtest/search/identity.ts";
import { plainPriceRules, priceRules } from "../../../backtest/search/trial.ts";
import { priceRulesOf } from "../../../src/app/feeds/price-rules.ts";
import type { PriceRules } from "../../../src/bot/core.ts";
import { marketSchema } from "../../../src/config/section/market.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { FxWeek } from "../../../src/market/fx-week.ts";

const RULES: PriceRules = {
  bands: new Map([["GBP/CHF" as PairSymbol, { low: 0.9, high: 1.3 }]]),
  sourcesMinOf: new Map([["USD/CHF" as PairSymbol, 3]]),
  origins: new Map([["line", "exchange kraken"]]),
  weekly: new Set(["line USDC/CHF"]),
  weekend: { week: new FxWeek(["2026-12-28"]), collarBps: 20 },
};

it("whatever rules a configuration makes have a plain form: a sweep begins where a bot does", () => {
  const line = { kind: "kraken-rest", name: "line", symbols: ["USDC/USD", "USD/CHF"], derive: ["USDC/CHF"] };
  const market = marketSchema.parse({ references: [line] });
  const rules = priceRulesOf({ mode: "live", market });
  const { weekend: _, ...expected } = rules;
  const { weekend, ...back } = priceRules(plainPriceRules(rules, []));
  expect(back).toEqual(expected);
  expect(weekend).toBeDefined();
});

it("a rule that has no plain form is refused and not forgotten", () => {
  const strange = { ...RULES, later: () => 3 } as unknown as PriceRules;
  expect(() => canonicalText(plainPriceRules(strange, []))).toThrow("$.rules.later must be plain data");
});
