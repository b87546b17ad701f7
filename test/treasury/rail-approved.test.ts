// A rail in a plan: what is approved is the wallet or account that it leads to, not the name of a template.

import { expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { Volumes } from "../../src/domain/volumes.ts";
import { railDraftsOf, treasuryTermsOf } from "../../src/operation/terms/treasury-terms.ts";
import { assetOf } from "../../src/treasury/plan/holding.ts";
import { railRoute } from "../../src/treasury/plan/transfer-routes.ts";
import { draftOf, type RailVia } from "../../src/treasury/rebalancer/rails.ts";
import { configOf } from "./rebalance-world.ts";
import { CHF, WALLET } from "./world.ts";

const destinations = {
  safe: { kind: "wallet", chain: "ETH", address: WALLET },
  other: { kind: "wallet", chain: "ETH", address: "0x00000000000000000000000000000000deadbeef" },
  elsewhere: { kind: "wallet", chain: "POL", address: WALLET },
};
const TEMPLATE = {
  direction: "on",
  asset: "VCHF",
  chain: "ETH",
  to: "safe",
  memo: "7",
  sender: { name: "Zürich Handels AG", country: "CH" },
};
const configured = (change: object = {}) =>
  configOf({
    destinations,
    rails: { in: { ...TEMPLATE, ...change } },
    planning: { rails: { in: { minimum: "1000" } } },
  });

test("a rail is used as it was approved: another wallet, memo, chain or coin needs another approval", () => {
  const [terms] = treasuryTermsOf(configured()).rails;
  if (terms === undefined) throw new Error("there must be a rail");
  const around = {
    now: millis(0),
    currency: CHF,
    rates: () => undefined,
    volumes: new Volumes(),
    available: (holding: Parameters<typeof assetOf>[0]) => Money.zero(assetOf(holding)),
  };
  // As the journal has it.
  const via = JSON.parse(JSON.stringify(railRoute(terms, around).slices[0]?.via)) as RailVia;
  const isUsed = (change?: object): boolean => draftOf(via, railDraftsOf(configured(change))).ok;
  expect(isUsed()).toBe(true);
  const changes = [
    { to: "other" },
    { memo: "8" },
    { memo: undefined },
    { chain: "POL", to: "elsewhere" },
    { asset: "VEUR" },
  ];
  expect(changes.map(isUsed)).toEqual(changes.map(() => false));
});
