// What a step of a plan waits for before it is sent: the venue's lists, asked for once, and not for ever.

import { expect, test } from "vitest";
import { err, ok } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Hands, RebalancerParts } from "../../src/treasury/rebalancer/parts.ts";
import { beginStep, type RunningPlan, type SoFar } from "../../src/treasury/rebalancer/step.ts";

const MINT = { kind: "mint", asset: "VCHF", chain: "ETH" };
const ON_RAMP = { kind: "on-ramp", template: "till", to: "0x1", asset: "VCHF", chain: "ETH", memo: undefined };
const RAIL = { destination: "0x1", asset: "VCHF", blockchain: "ETH", memo: undefined };
const PARTS = {
  rails: new Map([["till", { rail: RAIL, wallet: {}, toAccount: false }]]),
} as unknown as RebalancerParts;

function stage(via: object, soFar: Partial<SoFar> = {}) {
  const steps = [{ name: "the step", quantity: "120000", via }];
  const running = { steps, index: 0, soFar: { lists: {}, ...soFar } } as unknown as RunningPlan;
  const asked: string[] = [];
  const lookAt = (ms: number) => {
    const now = { at: millis(ms), mono: mono(ms) };
    const ask: Hands["ask"] = ({ witness, asset }) =>
      void asked.push(asset === undefined ? witness : `${witness} ${asset}`);
    return beginStep(running, PARTS, { now, ask } as unknown as Hands);
  };
  return { lookAt, asked };
}

test.each([
  ["a mint that of its coin", MINT, ["supply-changes VCHF"], "supply-changes"],
  ["a rail to a wallet that of rails and the whitelist", ON_RAMP, ["rails", "addresses"], "rails, addresses"],
])("%s, once, and after five minutes without an answer the plan ends", (_, via, lists, named) => {
  const { lookAt, asked } = stage(via);
  for (const ms of [1_000, 2_000, 60_000, 301_000]) expect(lookAt(ms)).toEqual(ok(undefined));
  expect(asked).toEqual(lists);
  expect(lookAt(301_001)).toEqual(err(`the venue's lists are not answered: ${named}`));
  expect(asked).toEqual(lists);
});

test("a rail to a wallet is not begun before both were read", () => {
  const { lookAt, asked } = stage(ON_RAMP, { askedAt: mono(0), lists: { rails: [] } });
  expect([lookAt(1_000), asked]).toEqual([ok(undefined), []]);
});
