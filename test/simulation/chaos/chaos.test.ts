// Several campaigns side by side, each with its own key, venue and journal: what takes time in them is waiting.

import { expect, test } from "vitest";
import { Progress, runChaos } from "./chaos.ts";

const first = Number(process.env.PEGBOT_SEED ?? 1);
const kills = Number(process.env.PEGBOT_KILLS ?? 16);
const CAMPAIGNS = 4;
/** What a bot that lacks a protection does wrong shows at its first doubts; how rare a thing may be is for the long run. */
const DOUBTS_EACH_WAY = 10;
const FILLS = 100;

test(`${kills} kills of bots at venues that lose, delay and refuse: nothing is sent twice, lost or booked twice`, {
  timeout: 20 * 60_000 + kills * 60_000,
}, async () => {
  const startedAt = performance.now();
  const progress = new Progress({ kills, doubtsEachWay: DOUBTS_EACH_WAY, fills: FILLS });
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, i) => {
    const seed = first + i;
    const say = (line: string) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      process.stdout.write(`chaos (seed ${seed}, ${seconds} s): ${line}\n`);
    };
    return runChaos({ seed, progress, say });
  });
  // All of them end before one that failed does: each takes its own processes down.
  await Promise.allSettled(campaigns);
  const done = await Promise.all(campaigns);
  const sum = (count: (one: (typeof done)[number]) => number) => done.reduce((total, one) => total + count(one), 0);
  const [fills, filled, dead] = [sum((one) => one.fills), sum((one) => one.doubtsFilled), sum((one) => one.doubtsDead)];
  const total = sum((one) => one.kills);
  process.stdout.write(`chaos: ${total} kills, ${fills} fills, doubts: ${filled} filled, ${dead} dead\n`);
  for (const { violations, kills: ownKills, livesThatTraded, finalLifeFills } of done) {
    expect(violations).toEqual([]);
    expect(livesThatTraded).toBeGreaterThanOrEqual(ownKills / 3);
    expect(finalLifeFills).toBeGreaterThanOrEqual(5);
  }
  expect(total).toBeGreaterThanOrEqual(kills);
  expect(sum((one) => one.simulatorRestarts)).toBeGreaterThanOrEqual(CAMPAIGNS);
  expect(fills).toBeGreaterThanOrEqual(FILLS);
  expect(filled).toBeGreaterThanOrEqual(DOUBTS_EACH_WAY);
  expect(dead).toBeGreaterThanOrEqual(DOUBTS_EACH_WAY);
});
