// Power cuts at venues that lose and delay: the chaos campaign, where each life of a bot ends with the loss of what it had not
// synced. PEGBOT_CUTS says how many; `npm run campaign power-cut` makes 50.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { isAlive } from "../../support/program.ts";
import { type Lives, Progress, runChaos } from "./chaos.ts";
import { Disk, killedUnder, type Loss } from "./power-cut.ts";

const seed = Number(process.env.PEGBOT_SEED ?? 1);
const cuts = Number(process.env.PEGBOT_CUTS ?? 2);

/** The venue has its own power. What the page remembers is made anew from the journal. */
const OTHERS = /\/(?:venue\.state|faults\.json|trace)|\.db\.page/;

function onThisDisk(losses: Loss[]): Lives {
  let disk: Disk;
  return {
    start(stage) {
      const trace = join(stage.folder, "trace");
      rmSync(trace, { force: true });
      disk = new Disk(stage.folder, trace, OTHERS);
      return stage.startBot(disk.through(`00000000-0000-4000-8000-${String(losses.length).padStart(12, "0")}`));
    },
    async end(stage, bot, random) {
      if (!isAlive(bot.pid)) throw new Error(`the bot ended by itself: ${bot.stderr().slice(-2_000)}`);
      await killedUnder(bot);
      losses.push(disk.cut(random));
      stage.forget();
    },
  };
}

test(`${cuts} power cuts: nothing is sent twice, lost or booked twice`, {
  timeout: TEST_MS_MAX + cuts * 60_000,
}, async () => {
  needs("mount", "strace", "unshare");
  const losses: Loss[] = [];
  const say = (line: string) => process.stdout.write(`power cuts (seed ${seed}): ${line}\n`);
  const progress = new Progress({ kills: cuts, doubtsEachWay: 0, fills: 0 });
  const done = await runChaos({ seed, progress, say, lives: onThisDisk(losses) });
  const lossy = losses.filter(({ writes, names }) => writes + names > 0).length;
  say(
    `${losses.length} cuts, ${lossy} with losses, ${done.fills} fills, doubts: ${done.doubtsFilled} filled, ${done.doubtsDead} dead`,
  );
  expect(done.violations).toEqual([]);
  expect(done.kills).toBeGreaterThanOrEqual(cuts);
  expect(done.finalLifeFills).toBeGreaterThanOrEqual(5);
  // Of three cuts one keeps all.
  if (cuts >= 10) expect(lossy).toBeGreaterThan(cuts / 4);
});
