// Routes that are left alone for a while, and until when.

import { expect, test } from "vitest";
import { millis } from "../../src/domain/time.ts";
import type { PlanLog } from "../../src/treasury/approval/plan-log.ts";
import { heldBack, type RouteSight } from "../../src/treasury/rebalancer/planner.ts";
import type { RailDrafts } from "../../src/treasury/rebalancer/rails.ts";

const HOUR = 3_600_000;
const REFUSED = { kind: "mint", asset: "VCHF", chain: "ETH" };
const RAIL = { sender: {} };
const rails = new Map([["till", { rail: RAIL }]]) as unknown as RailDrafts;

/** A journal in which the route of a mint of VCHF refused at 1,000, unless it was used since. */
const log = {
  heldBack: (_: number, isUsed: (asset: string, at: number) => boolean) =>
    isUsed("VCHF", millis(1_000)) ? [] : [{ route: REFUSED }],
} as unknown as PlanLog;

function routesAt(now: number, movements: Partial<Record<keyof RouteSight, unknown>> = {}): readonly unknown[] {
  const sight = { mintsSince: () => [], payments: { givenUp: () => [] }, requests: () => [], ...movements };
  return heldBack({ log, rails }, millis(now), sight as unknown as RouteSight).map(({ route, until }) => [
    route,
    until,
  ]);
}

test("a rail on which a person gave a payment up is left alone for an hour, and no other", () => {
  const givenUp = () => [{ rail: "L-1", at: millis(5_000), reason: "given up by ann: no" }];
  const rail = (id: string) => ({ id, request: RAIL, state: { kind: "confirmed", receipt: { status: "pending" } } });
  const held = (now: number, id: string) =>
    routesAt(now, { payments: { givenUp }, requests: () => [rail(id)] }).slice(1);
  const route = [{ kind: "rail", template: "till" }, 5_000 + HOUR];
  expect([held(5_000, "L-1"), held(4_999 + HOUR, "L-1")]).toEqual([[route], [route]]);
  expect([held(5_000 + HOUR, "L-1"), held(5_000, "L-2")]).toEqual([[], []]);
});

test("a mint that anybody had since opens the route of its coin, and of no other", () => {
  const since = (asset: string, at: number) => ({ mintsSince: (from: number) => (at >= from ? [{ asset }] : []) });
  expect(routesAt(2_000, since("VCHF", 1_500))).toEqual([]);
  for (const other of [since("VGBP", 1_500), since("VCHF", 999)])
    expect(routesAt(2_000, other)).toEqual([[REFUSED, undefined]]);
});
