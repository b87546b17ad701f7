import { expect, test } from "vitest";
import { runChaos } from "./chaos.ts";

const seed = Number(process.env.PEGBOT_SEED ?? 1);
const kills = Number(process.env.PEGBOT_KILLS ?? 30);

test(`${kills} kills of a bot at a venue that loses, delays and refuses: nothing is sent twice, lost or booked twice`, {
  timeout: 20 * 60_000 + kills * 60_000,
}, async () => {
  const say = (line: string) => void process.stdout.write(`chaos (seed ${seed}): ${line}\n`);
  const chaos = await runChaos({ seed, kills, doubtsEachWay: 20, fills: 200, say });
  const { violations, halts, ...counts } = chaos;
  say(JSON.stringify({ ...counts, halts: halts.length }));
  expect(violations).toEqual([]);
  expect(counts.kills).toBeGreaterThanOrEqual(kills);
  expect(counts.simulatorRestarts).toBeGreaterThanOrEqual(Math.floor(kills / 6));
  expect(counts.fills).toBeGreaterThanOrEqual(200);
  expect(counts.doubtsFilled).toBeGreaterThanOrEqual(20);
  expect(counts.doubtsDead).toBeGreaterThanOrEqual(20);
  expect(counts.livesThatTraded).toBeGreaterThanOrEqual(kills / 3);
  expect(counts.finalLifeFills).toBeGreaterThanOrEqual(5);
});
