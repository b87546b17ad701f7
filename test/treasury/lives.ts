// A conversion in a world whose owner is killed at drawn writes, on a hostile day, with a person who pays what is asked for.

import { expect } from "vitest";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { isEscalated } from "../../src/execution/request.ts";
import { depositAddressOf } from "../../src/simulator/core/venue-core.ts";
import { CORE_FUNDS, SHORT_PROTOCOL } from "../support/bot-core.ts";
import { MINUTE, progress } from "./rebalance-world.ts";
import {
  type BotOptions,
  CHF,
  close,
  expectSameBooks,
  KEY,
  recordsOf,
  TreasuryWorld,
  VCHF,
  whitelist,
} from "./world.ts";

/** For hours: looks seldom, at prices that are young enough. */
export const CALM = {
  ...pipelineDefaults,
  tickMs: 5_000,
  polls: { ...pipelineDefaults.polls, quotesMs: 5_000, balancesMs: MINUTE, historiesMs: 5 * MINUTE },
};

const HOSTILE = {
  rules: [
    { fault: "lost-answer", on: "addOrder", probability: 0.1 },
    { fault: "status", on: "addOrder", status: 502, executes: true, probability: 0.1 },
    { fault: "lost-request", on: "addOrder", probability: 0.1 },
  ],
} as Parameters<TreasuryWorld["setFaults"]>[0];

type Lives = {
  readonly seed: number;
  /** At most and at least so many, by at most so many writes apart. */
  readonly deaths: number;
  readonly least: number;
  readonly apart: number;
  readonly bot: BotOptions;
  /** Begins the conversion, where no instruction does. */
  readonly begin: (world: TreasuryWorld) => unknown;
};

/** Returns the world once all has ended. */
export async function lived({ seed, deaths: most, least, apart, bot: options, begin }: Lives): Promise<TreasuryWorld> {
  const random = createRandom(seed);
  const settlement = { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE };
  const world = await TreasuryWorld.open(seed, { settlement }, CORE_FUNDS, SHORT_PROTOCOL);
  whitelist(world, { address: depositAddressOf(seed, KEY, VCHF, "ETH"), label: "Home" });
  let bot = world.bot(options);
  await world.pass(3 * MINUTE);
  begin(world);
  const ended = () => {
    const states = recordsOf(world, "plan-progress").map(({ id, state }) => [id, state] as const);
    return (
      states.length > 0 && states.every(([id]) => states.some((one) => one[0] === id && /^(done|stopped)/.test(one[1])))
    );
  };
  let [deaths, writes] = [0, 2];
  let when = "before";
  world.journal.hook = (life, moment) => {
    // A command that dies before its plan is on record asks again.
    if (moment !== when || deaths >= most || recordsOf(world, "plan").length === 0 || --writes > 0) return;
    deaths += 1;
    life.kill();
  };
  for (let minute = 0; minute < 1_200 && !ended(); minute += 1) {
    if (!bot.isAlive) {
      writes = 1 + Math.floor(random.next() * apart);
      when = random.next() < 0.5 ? "before" : "after";
      bot = world.bot(options);
    }
    payOne(world, random);
    answerOne(world);
    await world.pass(MINUTE);
    // The bot gives an order up only once a history has shown a fill of this account.
    const hasFilled = recordsOf(world, "plan-progress").some(
      ({ state, text }) => state === "step" && / became /.test(text),
    );
    if (hasFilled) world.setFaults(HOSTILE);
  }
  world.journal.hook = undefined;
  await world.pass(10 * MINUTE);
  expect([deaths >= least, world.halts(), ended()], `${deaths}\n${progress(world).join("\n")}`).toEqual([
    true,
    [],
    true,
  ]);
  expectTrue(world);
  expectSameBooks(world);
  return world;
}

/** Before the account's first fill is shown a person is asked about an absent order, and says what the venue's support sees. */
function answerOne(world: TreasuryWorld): void {
  const one = world
    .reader()
    .executor.open()
    .find(({ state }) => isEscalated(state));
  if (one === undefined) return;
  const trades = unwrap(world.venue.venue.trades(KEY, world.moment()));
  expect(trades.some(({ clientOrderId }) => clientOrderId === one.id)).toBe(false);
  close(world, one.id, { notFilled: true });
}

const PAID = new WeakMap<TreasuryWorld, Set<string>>();

/** Now and then a person pays the first payment that is asked for, once. */
function payOne(world: TreasuryWorld, random: Random): void {
  const { executor } = world.reader();
  const [asked] = executor.treasury.payments.expectations();
  if (asked === undefined || random.next() < 0.4) return;
  const state = executor.get(asked.rail)?.state;
  if (state === undefined || !("receipt" in state) || !("railId" in state.receipt)) return;
  const { railId } = state.receipt;
  const already = PAID.get(world) ?? new Set();
  if (already.has(asked.id)) return;
  PAID.set(world, already.add(asked.id));
  expect(world.venue.venue.pay(railId, Quantity.of(String(asked.pays)), world.moment()).ok).toBe(true);
}

/** What the conversions say they moved, by asset at the venue. */
export function moved(world: TreasuryWorld, asset: Asset): Money {
  const ends = recordsOf(world, "plan-progress").filter(({ state }) => state === "step");
  const amounts = ends.flatMap(({ move }) => {
    const [[takes = "", from], [brings = "", to]] = [move?.takes.split(" ") ?? [], move?.brings.split(" ") ?? []];
    const out = from === asset ? [Money.of(takes, asset).negated()] : [];
    return to === asset ? [...out, Money.of(brings, asset)] : out;
  });
  return Money.sum(amounts, asset);
}

/** What the venue has changed since the start. */
function changed(world: TreasuryWorld, asset: "CHF" | "VCHF"): Money {
  const rows = world.venue.venue.balances(KEY, world.moment());
  if (!rows.ok) throw new Error("the venue must say what there is");
  const held = rows.value.find((row) => row.asset === asset);
  const all = Money.sum([held?.available ?? Money.zero(asset as Asset)], asset as Asset);
  return all.minus(Money.of(CORE_FUNDS[asset], asset as Asset));
}

export function expectTrue(world: TreasuryWorld): void {
  for (const asset of [CHF, VCHF]) expect(String(moved(world, asset))).toBe(String(changed(world, asset as "CHF")));
}
