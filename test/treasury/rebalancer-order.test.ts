// Orders of a plan that people approved, beside a market that moves on: never more than was approved, never at a worse price, and
// not sent twice. The rebalancer alone, with hands that are told what to say.

import { expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import type { Proposal } from "../../src/domain/step.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Answer, Ask } from "../../src/execution/effects.ts";
import type { PlanProgress } from "../../src/journal/record.ts";
import { digestOf } from "../../src/treasury/approval/plan-content.ts";
import type { Hands } from "../../src/treasury/rebalancer/parts.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import { CHF, VCHF } from "./world.ts";

const WAY = { kind: "order", symbol: "VCHF/CHF" as PairSymbol, side: "sell", limit: "0.999" } as const;
const STEP = {
  name: "sell VCHF/CHF",
  via: WAY,
  quantity: "2000",
  takes: "2000 VCHF",
  brings: "1998 CHF",
  value: "2000",
};
const EXPIRY = 600_000;
const REFILL = 30_000;
const GOOD = { bid: 0.9995, ask: 1, bidSize: 5_000, askSize: 5_000, ageMs: 0 };

type Said = "refused" | "rejected" | "done" | "doubt" | "capped" | "unasked" | "gone";

const STATES = {
  ...{ done: { kind: "accepted" }, capped: { kind: "accepted" }, doubt: { kind: "doubt" } },
  ...{ rejected: { kind: "rejected", message: "killed" }, refused: undefined, unasked: undefined, gone: undefined },
};

/** Looks at these times at these prices; each order is answered with the next word. */
function carriedOut(
  looks: readonly (readonly [number, typeof GOOD])[],
  answers: readonly Said[],
  stateAt: (at: number) => string = () => "ACTIVE",
  { step = STEP, listed = (answer) => answer }: { step?: object; listed?: (answer: Answer) => Answer } = {},
) {
  const body = {
    content: JSON.stringify({ at: 0, currency: "CHF", cost: "1", steps: [step], isWish: true }),
    expiresAt: millis(EXPIRY),
    persons: 1,
  };
  const plan = { ...body, kind: "plan", at: millis(0), id: "R-1", digest: digestOf(body), by: "bot" } as const;
  const approval = { kind: "approval", at: millis(0), id: "R-1", digest: plan.digest, by: "anna" } as const;
  const rebalancer = new Rebalancer({
    terms: {
      targets: [],
      returnTo: "edge",
      elsewhere: new Map(),
      costs: { stepCost: Quantity.zero, capitalBpsPerYear: 0, riskBpsPerDay: 0 },
      orders: {
        ...{ slippageBps: 1, ordersMax: 1, feeBps: 0, refillMs: REFILL },
        ...{ valueMax: undefined, quantityMax: () => undefined },
      },
      ...{ symbols: new Set<string>(), mints: [], rails: [], unused: [], reserveBps: 0, feeBpsMax: 0 },
    },
    rules: {
      ...{ automatic: false, lookMs: 10_000, expiryMs: EXPIRY, persons: 1, people: [], costBpsMax: 10 },
      ...{ orderValueMax: undefined, mintValueMax: undefined, railValueMax: undefined, dayValueMax: undefined },
    },
    ...{ rails: new Map(), wallets: [], saltDecimals: 2, quoteAgeMsMax: 10_000, writer: "w", random: createRandom(7) },
  });
  for (const record of [plan, { ...approval, signature: undefined }]) rebalancer.log.fold({ record, writer: "w" });
  let [at, top] = [0, GOOD];
  let answerOf = () => {};
  const amount = () => Money.of("5000", VCHF);
  const accounts = {
    assets: [VCHF],
    ...{ held: amount, spendable: amount, settled: amount, placed: () => Money.zero(VCHF), flights: () => [] },
  };
  const said: string[] = [];
  const progress: string[] = [];
  const refusals: PlanProgress["refusal"][] = [];
  const orders: { readonly at: number; readonly proposal: Proposal }[] = [];
  const moved: number[] = [];

  const books = {
    get state() {
      return stateAt(at);
    },
  };
  const hands = {
    strategy: { wakes: new Set(["quote"]) },
    books: {
      ...{ counters: books, accounts, pricing: { currency: CHF, rate: () => Price.of("1") } },
      ...{ instruments: new Map(), topOf: () => top },
    },
    executor: {
      ...{ freeze: () => ({ kind: "none" }), open: () => [] },
      treasury: { payments: { expectations: () => [], givenUp: () => [] }, mintsSince: () => [] },
      get(id: string) {
        const word = answers[orders.length - 1] ?? "rejected";
        return word === "gone" ? undefined : { id, kind: "order", state: STATES[word] };
      },
    },
    record: ({ state, text, refusal }: PlanProgress) => {
      progress.push(`${state}: ${text}`);
      refusals.push(refusal);
    },
    note: (text: string) => void said.push(text),
    ask: ({ witness, asset }: Ask) => {
      const answer = { witness, asset, askedAt: mono(at), receivedAt: millis(at), nonce: undefined, rows: [] };
      answerOf = () => rebalancer.heard(listed(answer as unknown as Answer));
    },
    move: () => `m-${moved.push(at)}`,
    order: (proposal: Proposal) => {
      const word = answers[orders.push({ at, proposal }) - 1];
      if (word === "unasked") return undefined;
      return word === "refused"
        ? { kind: "refused", refusal: { rule: "RC15", message: "trades back" } }
        : {
            kind: "approved",
            capped: word === "capped" ? [{ rule: "RC01", message: "too large" }] : [],
            intent: { clientOrderId: `o-${orders.length}`, quantity: Quantity.of("500") },
          };
    },
  } as unknown as Hands;
  for ([at, top] of looks) {
    // What was asked for is answered before the third look.
    if (at === looks[2]?.[0]) answerOf();
    rebalancer.look({ ...hands, now: { at: millis(at), mono: mono(at) } });
  }
  return {
    said,
    progress,
    refusals,
    orders,
    moved,
    rest: rebalancer.log.rest(millis(at)),
  };
}

test("an order waits for its whole size at its limit or better, and is sent as it was approved", () => {
  const { said, progress, orders } = carriedOut(
    [
      [1_000, { ...GOOD, bidSize: 1_999 }],
      [2_000, { ...GOOD, bid: 0.9989 }],
      [3_000, GOOD],
      [4_000, GOOD],
    ],
    ["done"],
  );
  expect(orders).toMatchObject([{ at: 3_000, proposal: { side: "sell", size: "2000", limit: 0.999 } }]);
  expect(said).toContain("plan R-1 waits, sell VCHF/CHF: the venue shows 1999 of 2000");
  expect(progress.map((line) => line.replace(/:.*/, ""))).toEqual(["begun", "step", "done"]);
});

test("an order that is refused or not filled ends the plan, and is not tried again", () => {
  const times = Array.from({ length: 100 }, (_, i) => [1_000 * (i + 1), GOOD] as const);
  for (const [word, why] of [
    ["refused", "RC15: trades back"],
    ["rejected", "o-1 was rejected: killed"],
  ] as const) {
    const { orders, progress, refusals } = carriedOut(times, [word, "done"]);
    expect([orders.length, progress.at(-1)]).toEqual([
      1,
      `stopped: sell VCHF/CHF: ${why}; propose it anew if it is still wanted`,
    ]);
    expect(refusals.at(-1)).toEqual({ unmoved: 1, why, isStop: undefined });
  }
});

test("an order that the gate made smaller ends the plan with what was let through", () => {
  const times = [1_000, 2_000, 3_000].map((at) => [at, GOOD] as const);
  const { orders, progress, refusals } = carriedOut(times, ["capped", "done"]);
  expect([orders.length, progress.at(-1), refusals.at(-1)]).toEqual([
    1,
    expect.stringContaining("stopped: sell VCHF/CHF: 500 of 2000 were let through as o-1, RC01: too large"),
    undefined,
  ]);
});

const MINT = {
  ...STEP,
  ...{ name: "mint VCHF", takes: "2000 CHF", brings: "2000 VCHF" },
  via: { kind: "mint", asset: VCHF, chain: "ETH", feeBpsMax: 10 },
};

test("a mint is told apart by the list of its own coin, asked for since the step began, and by no other", () => {
  const times = [1_000, 2_000, 3_000, 4_000].map((at) => [at, GOOD] as const);
  const minted = (listed: (answer: Answer) => Answer) => carriedOut(times, [], undefined, { step: MINT, listed }).moved;
  expect(minted((answer) => answer)).toEqual([3_000]);
  expect(minted((answer) => ({ ...answer, asset: "VGBP" }) as unknown as Answer)).toEqual([]);
  expect(minted((answer) => ({ ...answer, witness: "rails" }) as unknown as Answer)).toEqual([]);
  expect(minted((answer) => ({ ...answer, askedAt: mono(answer.askedAt - 1) }))).toEqual([]);
});

test("an order that waited is not sent once its plan has expired, whatever the market does then", () => {
  const thin = { ...GOOD, bidSize: 10 };
  const late = carriedOut(
    [
      [1_000, thin],
      [EXPIRY + 1, GOOD],
    ],
    ["done"],
  );
  expect([late.orders, late.progress.at(-1)]).toEqual([[], expect.stringMatching(/^stopped: .* until it expired;/)]);
});

test("a stop ends a plan whose mint waits for the venue's list: nothing is begun when a person resumes", () => {
  const times = [1_000, 2_000, 3_000, 4_000 + REFILL].map((at) => [at, GOOD] as const);
  const killedAt = (when: number) => (at: number) => (at === when ? "HALTED" : "ACTIVE");
  const minted = (when: number) => carriedOut(times, [], killedAt(when), { step: MINT });
  expect(minted(0).moved).toEqual([3_000]);
  // A mint that the venue refuses is not tried again.
  expect(minted(0).progress.at(-1)).toMatch(/^stopped: mint VCHF: m-1 was rejected: killed;/);
  expect([minted(2_000).moved, minted(2_000).progress.at(-1)]).toEqual([
    [],
    expect.stringMatching(/^stopped: mint VCHF: the bot is HALTED/),
  ]);
});
