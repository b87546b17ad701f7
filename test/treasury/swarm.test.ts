import { expect, test } from "vitest";
import { runSwarm } from "./swarm/swarm.ts";

/** PEGBOT_SEED repeats one; PEGBOT_SIMULATIONS runs more of them. */
const first = Number(process.env.PEGBOT_SEED ?? 1);
const count = Number(process.env.PEGBOT_SIMULATIONS ?? 1);
const seeds = Array.from({ length: count }, (_, i) => first + i);
const log =
  process.env.PEGBOT_SEED === undefined ? undefined : (line: string) => void process.stdout.write(`${line}\n`);

test.each(seeds)(
  "everything at once, and an operator who does what the words say, seed %i",
  async (seed) => {
    const { violations, halts, ...counts } = await runSwarm({ seed, ...(log === undefined ? {} : { log }) });
    process.stdout.write(`swarm ${seed}: ${JSON.stringify(counts)}\n`);
    for (const halt of halts) process.stdout.write(`   halted: ${halt}\n`);
    for (const one of violations) process.stdout.write(`   VIOLATION ${seed}: ${one}\n`);
    expect(violations).toEqual([]);
  },
  120_000,
);
