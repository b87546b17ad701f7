// What `config check` warns of: settings that are allowed and let less pass than they say.

import { expect, test } from "vitest";
import { stringify } from "yaml";
import { oddities, sleeper } from "../../../src/app/config/oddities.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { Wake } from "../../../src/strategy/view.ts";
import { completeConfig, type Plain } from "../../config/complete.ts";

type Changed = {
  readonly risk?: Plain;
  readonly market?: Plain;
  readonly venue?: Plain;
  readonly targets?: Plain;
  readonly approvals?: Plain;
};

function warningsOf(changed: Changed): readonly string[] {
  const complete = completeConfig();
  const treasury = complete.treasury as Plain;
  const settings = {
    ...complete,
    conversions: {},
    risk: { ...(complete.risk as Plain), ...changed.risk },
    market: changed.market ?? complete.market,
    venue: { ...(complete.venue as Plain), ...changed.venue },
    treasury: {
      ...treasury,
      targets: changed.targets ?? treasury.targets,
      approvals: { ...(treasury.approvals as Plain), ...changed.approvals },
    },
  };
  return oddities(unwrap(parseConfig(stringify(settings), "/home/user/pegbot.yaml", {})).config);
}

test("a paper account that opens with what nothing prices is warned of: no order would pass", () => {
  expect(oddities(configSchema.parse({ risk: completeConfig().risk }))).toEqual([
    "the paper account opens with GBP, VGBP, and no pair of risk.symbols and no feed of market.references has it: without a rate equity is unknown, and every order is refused (RC05)",
  ]);
});

test("rebalancing that may lose more than usual unasked, of what the strategy trades too, is warned of", () => {
  const dear = { approvals: { costBpsMax: 11 } };
  expect(warningsOf(dear)).toEqual([
    expect.stringMatching(/^treasury\.approvals\.costBpsMax is 11: strategy \S+ trades VCHF and does not know/),
  ]);
  expect(warningsOf({ approvals: { costBpsMax: 10 } })).toEqual([]);
  expect(warningsOf({ approvals: { ...dear.approvals, automatic: false } })).toEqual([]);
  expect(warningsOf({ ...dear, targets: { "CHF@BANK": { low: "1" } } })).toEqual([]);
});

test("real money without par and without a feed is warned of, and a currency that nothing is priced in", () => {
  expect(warningsOf({ market: {} })).toEqual([expect.stringContaining("neither par nor a reference feed")]);
  expect(warningsOf({ risk: { currency: "EUR" } })).toEqual([expect.stringContaining("risk.currency is EUR")]);
  expect(warningsOf({ risk: { currency: "GBP" } })).toEqual([]);
});

test("a strategy that nothing will ever wake is warned of, and one that something may is not", () => {
  const paper = configSchema.parse({});
  const live = { ...paper, mode: "live" as const, market: { ...paper.market, references: [] } };
  const planning = { ...paper, treasury: { ...paper.treasury, targets: { CHF: {} as never } } };
  const said = (config: typeof paper, ...wakes: Wake[]) =>
    sleeper(config, { name: "first", wakes: new Set(wakes), definition: { decide: () => undefined } });
  expect(said(paper, "bar")).toEqual([
    'nothing will ever wake strategy first, which wakes at bar alone: bars come only in backtests on recorded bars of the venue; wakes: ["quote"] is the usual one (docs/guides/strategy.md)',
  ]);
  expect(said(live, "reference")[0]).toContain("there is no reference feed");
  expect(said(paper, "report")[0]).toContain("it never gets to make one");
  for (const wakes of [["bar", "quote"], ["timer"], ["balances"], ["reference"]] as const)
    expect(said(paper, ...wakes)).toEqual([]);
  expect(said(planning, "report")).toEqual([]);
});
