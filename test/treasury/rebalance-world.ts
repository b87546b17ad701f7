// What `rebalance` and `approve` need beside the world of mints: a configuration with targets and routes, and who is asked.

import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { rebalancerParts } from "../../src/app/bot/rebalancer-of.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { type AnswerOptions, answerWith } from "../../src/cli/command/approve.ts";
import { type RebalanceOptions, rebalanceWith } from "../../src/cli/command/rebalance.ts";
import { type Config, configSchema, treasurySchema } from "../../src/config/schema.ts";
import type { PlanRecord } from "../../src/journal/record.ts";
import { personHere } from "../../src/operation/person.ts";
import { Rebalancer } from "../../src/treasury/rebalancer/rebalancer.ts";
import { CORE_FUNDS, LIFE_LIMITS } from "../support/bot-core.ts";
import { type BotOptions, CONFIG, type Command, recordsOf, SLOW_BOT, TreasuryWorld } from "./world.ts";

export const MINUTE = 60_000;
const QUICK = { settlement: { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE } };

/** 500,000 VCHF are there: what is missing is more than one mint may be, and the rest is bought. */
export const TREASURY = {
  targets: { VCHF: { low: "625000" } },
  mint: { minimum: "118000", minimumCurrency: "CHF", quantityMax: { VCHF: "120000" } },
  planning: { orders: { slippageBps: 10 }, mints: { VCHF: { chain: "ETH" } } },
};

type Approvals = Config["treasury"]["approvals"];
export type People = Approvals["people"];

/** Two must agree: whoever runs this test, and ben. */
export const TWO: { readonly persons: number; readonly people: People } = {
  persons: 2,
  people: [{ name: personHere() }, { name: "ben" }],
};

export function configOf(treasury: object = {}, approvals: Partial<Approvals> = {}): Config {
  const base = configSchema.parse({ venue: CONFIG.venue, key: { file: "./key.pem" } });
  const section = treasurySchema.parse({ ...TREASURY, ...treasury });
  // With limits of its own it listens to no reference feed: the world has none.
  return {
    ...base,
    mode: "live",
    risk: LIFE_LIMITS,
    treasury: { ...section, approvals: { ...section.approvals, ...approvals } },
  };
}

/** The books are open, and a bot that does nothing runs beside. */
export async function opened(bot: BotOptions = SLOW_BOT, settings: object = {}): Promise<TreasuryWorld> {
  // Nothing without a rate: what cannot be valued lets no purchase through the gate.
  const world = await TreasuryWorld.open(1, { ...QUICK, ...settings }, CORE_FUNDS);
  world.bot(bot);
  await world.pass(3 * MINUTE);
  return world;
}

/** A bot that carries out what was approved, and plans nothing by itself. */
export function carrier(config: Config): BotOptions {
  const parts = rebalancerParts(config, 7);
  if (parts === undefined) throw new Error("there must be targets");
  const dress: BotOptions["dress"] = (core, writer) => ({
    ...core,
    rebalancer: new Rebalancer({ ...parts, writer }),
  });
  // Its prices must be young.
  return { ...SLOW_BOT, settings: pipelineDefaults, dress };
}

export function rebalancing(world: TreasuryWorld, config: Config, options: RebalanceOptions = {}): Command {
  return world.command((tool, person) => rebalanceWith({ ...tool, config }, person, options));
}

/** `by`: another user of this machine. */
type Answering = AnswerOptions & { readonly by?: string };

export function approving(
  world: TreasuryWorld,
  config: Config,
  id: string,
  { by, ...options }: Answering = {},
): Command {
  return world.command((tool, person) =>
    as(by, () => answerWith({ ...tool, config }, person, { id, answer: "approve" }, { yes: true, ...options })),
  );
}

async function as<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  const { userInfo } = os;
  if (name !== undefined) os.userInfo = (() => ({ ...userInfo(), username: name })) as typeof userInfo;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    os.userInfo = userInfo;
    syncBuiltinESMExports();
  }
}

export function declining(
  world: TreasuryWorld,
  config: Config,
  id: string,
  { by, ...options }: Answering = {},
): Command {
  const given = { yes: true, reason: "too dear", ...options };
  return world.command((tool, person) =>
    as(by, () => answerWith({ ...tool, config }, person, { id, answer: "decline" }, given)),
  );
}

export function thePlan(world: TreasuryWorld): PlanRecord {
  const [plan] = recordsOf(world, "plan");
  if (plan === undefined) throw new Error("there must be a plan");
  return plan;
}

export function progress(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "plan-progress").map(({ state, text }) => `${state}: ${text}`);
}
