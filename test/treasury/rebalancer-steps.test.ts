// A step of a plan by itself: what is sent for it, what it waits for, and how it ends.

import { expect, test } from "vitest";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { err, ok } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { SupplyChange } from "../../src/exchange/port.ts";
import type { MoneyRequest } from "../../src/execution/request.ts";
import type { MovementWish } from "../../src/risk/treasury-gate.ts";
import type { Via } from "../../src/treasury/plan/route.ts";
import type { Hands, RebalancerParts } from "../../src/treasury/rebalancer/parts.ts";
import { endOf } from "../../src/treasury/rebalancer/plan-runner.ts";
import { beginMint, beginRail, beginStep, type RunningPlan, type SoFar } from "../../src/treasury/rebalancer/step.ts";
import { CHF, VCHF } from "./world.ts";

type MintVia = Extract<Via, { kind: "mint" }>;

const MINT = { kind: "mint", asset: VCHF, chain: "ETH", feeBpsMax: 10 } as MintVia;

function runningAt(via: object, soFar: Partial<SoFar> = {}): RunningPlan {
  const plan = { id: "R-1", by: "bot", expiresAt: millis(600_000), content: '{"steps":[]}' };
  const steps = [{ name: "the step", quantity: "200000", via }];
  return { plan, steps, index: 0, soFar: { lists: {}, ...soFar } } as unknown as RunningPlan;
}

/** `moved`: what the gate says to it. */
function handsWith(treasury: object, { moved }: { readonly moved: ReturnType<Hands["move"]> } = { moved: "T-1" }) {
  const wishes: MovementWish[] = [];
  const move: Hands["move"] = (wish) => {
    wishes.push(wish);
    return moved;
  };
  const now = { at: millis(1_000), mono: mono(1_000) };
  return { hands: { now, move, executor: { treasury } } as unknown as Hands, wishes };
}

const SALT = { saltDecimals: 1, random: createRandom(7), wallets: [] };
const listed = (quantity: string | undefined): SupplyChange =>
  ({
    ...{ requestId: `r-${quantity}`, transactionId: undefined, asset: VCHF, blockchain: "ETH", status: "pending" },
    quantity: quantity === undefined ? undefined : Quantity.of(quantity),
  }) as SupplyChange;

test("a mint has a quantity that neither the list nor any mint of ours of that coin has, and the fee that was approved", () => {
  // Of the nine below 200,000 the list has 199999.1 to 199999.6, and we had 199999.7; another coin may have the same.
  const rows = [
    ...["199999.1", "199999.2", "199999.3", "199999.4", "199999.5", "199999.6"].map(listed),
    listed(undefined),
  ];
  const own = (asset: string, quantity: string) => ({ asset, quantity: Quantity.of(quantity) });
  const since: number[] = [];
  const mintsSince = (at: number) => {
    since.push(at);
    return [own("VCHF", "199999.7"), own("VCHF", "199999.9"), own("VGBP", "199999.8")];
  };
  const { hands, wishes } = handsWith({ mintsSince });
  expect(beginMint(runningAt(MINT, { lists: { "supply-changes": rows } }), MINT, SALT, hands)).toEqual(ok("T-1"));
  // 199999.8 at 10 bp: 199.9998.
  expect([since, wishes]).toMatchObject([
    [0],
    [
      {
        kind: "mint",
        mint: {
          ...{ asset: VCHF, blockchain: "ETH", quantity: Quantity.of("199999.8"), destination: undefined },
          ...{ feeMax: Money.of("199.9998", CHF), spentMax: Money.of("200199.7998", CHF) },
          known: [...rows.slice(0, 6).map(({ requestId }) => requestId), "r-undefined"],
        },
        ...{ decidedAt: 1_000, expiresAt: 600_000, reason: "rebalancing, plan R-1" },
      },
    ],
  ]);
  const full = [...rows, ...["199999.7", "199999.8", "199999.9"].map(listed)];
  expect(beginMint(runningAt(MINT, { lists: { "supply-changes": full } }), MINT, SALT, hands)).toEqual(
    err(expect.stringContaining("below 200000 is free")),
  );
});

test.each([
  ["of what is no coin", { ...MINT, asset: "EUR" }, "T-1", "only a coin that stands for its fiat is minted"],
  ["that the gate refuses", MINT, { rule: "RM01", message: "too much" }, "RM01: too much"],
  ["while stopped", MINT, undefined, "not approved"],
])("no mint %s is begun, and it says why", (_, via, moved, why) => {
  const { hands } = handsWith({ mintsSince: () => [] }, { moved: moved as ReturnType<Hands["move"]> });
  expect(beginMint(runningAt(via), via as MintVia, SALT, hands)).toEqual(err(expect.stringContaining(why)));
});

test("a mint to a wallet goes where our own list and the venue's have it, on that chain, and nowhere else", () => {
  const to = "0x1";
  const via = { ...MINT, to, isExact: true } as MintVia;
  const own = (chain: string) => [{ kind: "wallet", address: to, chain, label: undefined }] as never;
  const white = [{ address: to, blockchain: "ETH", asset: VCHF, label: "ours", status: "Confirmed" }] as never;
  const begun = (wallets: never, addresses: never) => {
    const { hands, wishes } = handsWith({ mintsSince: () => [] });
    const began = beginMint(
      runningAt(via, { lists: { "supply-changes": [], addresses } }),
      via,
      { ...SALT, wallets },
      hands,
    );
    return [began, wishes];
  };
  const unlisted = err(expect.stringContaining("must stand in treasury.destinations, and does not"));
  for (const wallets of [[] as never, own("SOL")]) expect(begun(wallets, white)).toEqual([unlisted, []]);
  expect(begun(own("ETH"), [] as never)).toEqual([err(expect.stringContaining("must be whitelisted for VCHF")), []]);
  // Its quantity is to the letter what was approved.
  const mint = { destination: to, quantity: Quantity.of("200000") };
  expect(begun(own("ETH"), white)).toMatchObject([ok("T-1"), [{ mint }]]);
});

test("a mint to a wallet waits for the venue's whitelist too, and one to the account does not", () => {
  const wallets = [{ kind: "wallet", address: "0x1", chain: "ETH", label: undefined }];
  const begun = (to: string | undefined, lists: object) => {
    const { hands } = handsWith({ mintsSince: () => [] });
    const asked: string[] = [];
    const running = runningAt({ ...MINT, to, isExact: true }, { lists });
    const ask: Hands["ask"] = ({ witness }) => void asked.push(witness);
    const began = beginStep(running, { ...SALT, wallets } as unknown as RebalancerParts, { ...hands, ask });
    return [began, asked];
  };
  const white = { address: "0x1", blockchain: "ETH", asset: VCHF, label: "ours", status: "Confirmed" };
  const [list, addresses] = [{ "supply-changes": [] }, { addresses: [white] }];
  expect(begun(undefined, {})).toEqual([ok(undefined), ["supply-changes"]]);
  expect(begun(undefined, list)).toEqual([ok("T-1"), []]);
  for (const some of [{}, list, addresses])
    expect(begun("0x1", some)).toEqual([ok(undefined), ["supply-changes", "addresses"]]);
  expect(begun("0x1", { ...list, ...addresses })).toEqual([ok("T-1"), []]);
});

const NO_RAIL = { requests: () => [], refusal: () => undefined };

test("a rail that stands is used again, one that does not is registered beside those that the list has, and one that is shut is not begun", () => {
  const rail = { asset: VCHF, destination: "CH93", sender: {} };
  const draft = { rail, wallet: undefined, toAccount: true } as never;
  const soFar = { lists: { rails: [{ railId: "RR-1" }, { railId: "RR-2" }] } } as never;
  const begun = (movements: object) => {
    const { hands, wishes } = handsWith({ ...NO_RAIL, ...movements });
    return { began: beginRail(runningAt({}, soFar), draft, hands), wishes };
  };
  const state = { kind: "confirmed", receipt: { status: "pending" } };
  const standing = { id: "T-9", kind: "rail", request: rail, state };
  expect(begun({ requests: () => [standing] })).toEqual({ began: ok("T-9"), wishes: [] });
  const fresh = begun({});
  expect([fresh.began, fresh.wishes]).toMatchObject([
    ok("T-1"),
    [{ kind: "rail", isAnother: false, rail: { destination: "CH93", known: ["RR-1", "RR-2"], toAccount: true } }],
  ]);
  // A person may want a second one of the same content.
  const { hands, wishes } = handsWith({ ...NO_RAIL, requests: () => [standing] });
  const registers = { toAccount: false, isAnother: true };
  expect(beginRail(runningAt({ registers }, soFar), draft, hands)).toEqual(ok("T-1"));
  expect(wishes).toMatchObject([{ isAnother: true, rail: { toAccount: false } }]);
  const shut = { ...standing, state: { kind: "confirmed", receipt: { status: "held", reason: "no" } } };
  expect(begun({ requests: () => [shut] })).toEqual({ began: err("rail T-9 is held: no"), wishes: [] });
});

test.each<[string, object, unknown]>([
  ["order", { kind: "intended" }, "waits"],
  ["order", { kind: "sending" }, "waits"],
  ["order", { kind: "accepted" }, "done"],
  ["mint", { kind: "confirmed" }, "done"],
  ["mint", { kind: "settled" }, "done"],
  ["mint", { kind: "late" }, "done"],
  ["rail", { kind: "confirmed", receipt: { status: "pending" } }, "done"],
  [
    "rail",
    { kind: "confirmed", receipt: { status: "rejected", reason: "no" } },
    { why: "rail T-1 is rejected: no", moved: false },
  ],
  ["order", { kind: "rejected", message: "killed" }, { why: "T-1 was rejected: killed", moved: false }],
  ["mint", { kind: "not-sent", reason: "stopped" }, { why: "T-1 was not sent: stopped", moved: false }],
  [
    "order",
    { kind: "unknown" },
    { why: expect.stringContaining("unknown (unknown), money may have moved"), moved: true },
  ],
  ["order", { kind: "released" }, { why: expect.stringContaining("unknown (released)"), moved: true }],
])("the step of a %s that is %o has ended so", (kind, state, end) => {
  expect(endOf({ id: "T-1", kind, state } as unknown as MoneyRequest)).toEqual(end);
});
