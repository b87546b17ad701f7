// Several campaigns side by side, each with its own key, venue and journal: what takes time in them is waiting.

import { expect, test } from "vitest";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { Progress, runChaos } from "./chaos.ts";

const first = Number(process.env.PEGBOT_SEED ?? 1);
const kills = Number(process.env.PEGBOT_KILLS ?? 16);
const CAMPAIGNS = 4;
/** More than these come by themselves where there are more kills. */
const [DOUBTS, FILLS] = [10, 100];

test(`${kills} kills of bots at venues that lose, delay and refuse: nothing is sent twice, lost or booked twice`, {
  timeout: TEST_MS_MAX * 2 + kills * 60_000,
}, async () => {
  const startedAt = performance.now();
  const progress = new Progress({ kills, doubtsEachWay: DOUBTS, fills: FILLS });
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
  expect(sum((one) => one.simulatorRestarts)).toBeGreaterThanOrEqual(CAMPAIGNS / 2);
  expect(fills).toBeGreaterThanOrEqual(FILLS);
  expect(filled).toBeGreaterThanOrEqual(DOUBTS);
  expect(dead).toBeGreaterThanOrEqual(DOUBTS);
});
