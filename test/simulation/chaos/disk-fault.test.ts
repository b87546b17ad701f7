// A file system that fails at venues that lose and delay: the chaos campaign, where in each life of a bot writes or syncs of its
// databases fail, once or from some moment on. What fails for good ends or halts the bot in words; after the last life the
// books are the venue's. PEGBOT_DISK_FAULTS says how many; `npm run campaign disk-faults` makes 30.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { needs } from "../../support/needs.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { isAlive, until } from "../../support/program.ts";
import { type Lives, Progress, runChaos } from "./chaos.ts";
import { Disk, killedUnder } from "./power-cut.ts";

const seed = Number(process.env.PEGBOT_SEED ?? 1);
const faults = Number(process.env.PEGBOT_DISK_FAULTS ?? 2);

/** The fault, the calls that it met, how the bot ended (undefined: it was killed), and the last that it said. */
type Met = {
  readonly fault: string;
  readonly calls: readonly string[];
  readonly code: number | null | undefined;
  readonly last: string;
};

/** Of the suite; both are met before the first order. */
const FIRST = ["pwrite64:error=ENOSPC:when=150+", "fsync,fdatasync:error=EIO:when=12+"];

/** Databases are written by `pwrite64` alone; a start makes a hundred of them, and an order some ten. */
function drawn(random: Random): string {
  const calls = random.next() < 0.5 ? "pwrite64" : "fsync,fdatasync";
  const error = random.next() < 0.5 ? "ENOSPC" : "EIO";
  const most = calls === "pwrite64" ? 500 : 50;
  return `${calls}:error=${error}:when=${random.integer(1, most)}${random.next() < 0.5 ? "+" : ""}`;
}

/** What SQLite or the system say of a disk, in the words of the bot. */
const TROUBLE = /disk is full|disk I\/O error|ENOSPC|EIO|cannot be written|cannot be created/;

function onBadDisks(random: Random, met: Met[]): Lives {
  let [disk, fault]: [Disk | undefined, string] = [undefined, ""];
  return {
    deserved: TROUBLE,
    start(stage) {
      const trace = join(stage.folder, "trace");
      rmSync(trace, { force: true });
      disk = new Disk(stage.folder, trace, /\/(?:venue\.state|faults\.json|trace)/);
      fault = FIRST[met.length] ?? drawn(random);
      return stage.startBot(disk.through(`00000000-0000-4000-8000-${String(met.length).padStart(12, "0")}`, fault));
    },
    async end(_, bot) {
      const isHit = (): boolean => disk?.failed().some((call) => /(?:journal|key)\.db/.test(call)) === true;
      const isSaid = (): boolean => TROUBLE.test(bot.stderr()) || !isAlive(bot.pid);
      // One that is met once may be made good by the next try.
      if (fault.endsWith("+") && isHit()) await until(isSaid, `a word on ${fault}`);
      const code = isAlive(bot.pid) ? undefined : (await bot.ended()).code;
      await killedUnder(bot);
      const last = bot.stderr().trim().split("\n").slice(-3).join("\n");
      met.push({ fault, calls: disk?.failed() ?? [], code, last });
    },
  };
}

test(`${faults} lives on a disk that fails: it is said in words, and nothing is sent twice, lost or booked twice`, {
  timeout: TEST_MS_MAX + faults * 60_000,
}, async () => {
  needs("mount", "strace", "unshare");
  const met: Met[] = [];
  const say = (line: string) => process.stdout.write(`disk faults (seed ${seed}): ${line}\n`);
  const progress = new Progress({ kills: faults, doubtsEachWay: 0, fills: 0 });
  const lives = onBadDisks(createRandom(seed).fork("disk faults"), met);
  const done = await runChaos({ seed, progress, say, lives });
  for (const { fault, calls, code, last } of met)
    say(
      `${fault}: ${calls.length} met (${[...new Set(calls)].join(", ")}), ended with ${code}, ${JSON.stringify(last)}`,
    );
  const hit = met.filter(({ calls }) => calls.length > 0);
  say(
    `${hit.length} of ${met.length} lives met a fault, ${hit.filter(({ code }) => code !== undefined).length} ended by it`,
  );
  expect(done.violations).toEqual([]);
  expect(done.finalLifeFills).toBeGreaterThanOrEqual(5);
  for (const { code, last, fault } of hit) {
    expect(code, fault).not.toBe(0);
    expect(last, fault).not.toMatch(/this is a bug|^\s+at .*:\d+:\d+/m);
    if (code !== undefined) expect(last, fault).toMatch(TROUBLE);
  }
  // A life that ends before its fault meets none.
  expect(hit.length).toBeGreaterThan(faults / 3);
});
