// Several campaigns side by side, each with its own key, venue and journal: what takes time in them is waiting.

import { expect, test } from "vitest";
import { Progress, runChaos } from "./chaos.ts";

const first = Number(process.env.PEGBOT_SEED ?? 1);
const kills = Number(process.env.PEGBOT_KILLS ?? 32);
const CAMPAIGNS = 4;

test(`${kills} kills of bots at venues that lose, delay and refuse: nothing is sent twice, lost or booked twice`, {
  timeout: 20 * 60_000 + kills * 60_000,
}, async () => {
  const startedAt = performance.now();
  const progress = new Progress({ kills, doubtsEachWay: 20, fills: 200 });
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
  for (const { violations, kills: ownKills, livesThatTraded, finalLifeFills } of done) {
    expect(violations).toEqual([]);
    expect(livesThatTraded).toBeGreaterThanOrEqual(ownKills / 3);
    expect(finalLifeFills).toBeGreaterThanOrEqual(5);
  }
  expect(sum((one) => one.kills)).toBeGreaterThanOrEqual(kills);
  expect(sum((one) => one.simulatorRestarts)).toBeGreaterThanOrEqual(CAMPAIGNS);
  expect(sum((one) => one.fills)).toBeGreaterThanOrEqual(200);
  expect(sum((one) => one.doubtsFilled)).toBeGreaterThanOrEqual(20);
  expect(sum((one) => one.doubtsDead)).toBeGreaterThanOrEqual(20);
});
