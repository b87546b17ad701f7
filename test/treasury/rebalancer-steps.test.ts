// A step of a plan by itself: what is sent for it, what it waits for, and how it ends.

import { expect, test } from "vitest";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { err, ok } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { SupplyChange } from "../../src/exchange/port.ts";
import type { MoneyRequest } from "../../src/execution/request.ts";
import type { MovementWish } from "../../src/risk/treasury-gate.ts";
import { endOf } from "../../src/treasury/conversion/wishes.ts";
import type { Via } from "../../src/treasury/plan/route.ts";
import type { Hands } from "../../src/treasury/rebalancer/parts.ts";
import { beginMint, type RunningStep, type SoFar } from "../../src/treasury/rebalancer/step.ts";
import { CHF, VCHF } from "./world.ts";

type MintVia = Extract<Via, { kind: "mint" }>;

const MINT = { kind: "mint", asset: VCHF, chain: "ETH", feeBpsMax: 10 } as MintVia;

function runningAt(via: object, soFar: Partial<SoFar> = {}): RunningStep {
  const plan = { id: "R-1", by: "bot", expiresAt: millis(600_000), content: '{"steps":[]}' };
  const step = { name: "the step", quantity: "200000", via };
  return { plan, step, soFar: { lists: {}, ...soFar } } as unknown as RunningStep;
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
