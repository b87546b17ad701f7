// What `rebalance` and `approve` need beside the world of mints: a configuration with targets and routes, and who is asked.

import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { answered } from "../../src/cli/command/approve.ts";
import { showProposal } from "../../src/cli/command/rebalance.ts";
import { type Config, configSchema, treasurySchema } from "../../src/config/schema.ts";
import type { PlanRecord } from "../../src/journal/record.ts";
import { personHere } from "../../src/operation/person.ts";
import type { ShownProposal } from "../../src/operation/rebalance.ts";
import { CORE_FUNDS, LIFE_LIMITS } from "../support/bot-core.ts";
import { type Asking, type BotOptions, CONFIG, type Command, recordsOf, SLOW_BOT, TreasuryWorld } from "./world.ts";

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
  world.bot({ config: configOf(), ...bot });
  await world.pass(3 * MINUTE);
  return world;
}

/** A bot that carries out what was approved, and plans nothing by itself. */
export function carrier(config: Config): BotOptions {
  // Its prices must be young.
  return { ...SLOW_BOT, settings: pipelineDefaults, config };
}

type Rebalancing = { readonly execute?: boolean; readonly offPeg?: boolean };

export function rebalancing(
  world: TreasuryWorld,
  config: Config,
  { execute = false, offPeg }: Rebalancing = {},
  asking: Asking = {},
): Command {
  const show: Asking["show"] = (terminal, shown) => showProposal(terminal, shown as ShownProposal);
  return world.asks("rebalance", { offPeg }, { config, preview: !execute, show, ...asking });
}

type Answering = { readonly by?: string; readonly yes?: boolean; readonly reason?: string };

/** `by`: who holds a token of that name; else the person at the terminal. */
export function approving(world: TreasuryWorld, config: Config, id: string, answering: Answering = {}): Command {
  return answer(world, config, { id, answer: "approve" }, answering);
}

export function declining(world: TreasuryWorld, config: Config, id: string, answering: Answering = {}): Command {
  return answer(world, config, { id, answer: "decline" }, { reason: "too dear", ...answering });
}

function answer(
  world: TreasuryWorld,
  config: Config,
  what: { readonly id: string; readonly answer: "approve" | "decline" },
  { by, ...options }: Answering,
): Command {
  return world.command((ask, shell, prompts) => answered(shell, ask, what, { yes: true, ...options }, prompts), {
    config,
    isHeld: true,
    ...(by === undefined ? {} : { token: by }),
  });
}

export function thePlan(world: TreasuryWorld): PlanRecord {
  const [plan] = recordsOf(world, "plan");
  if (plan === undefined) throw new Error("there must be a plan");
  return plan;
}

export function progress(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "plan-progress").map(({ state, text }) => `${state}: ${text}`);
}
