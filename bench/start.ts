// How long a large journal takes to start: with its snapshot, with one of a day ago (as after SIGKILL), and without. The
// journal is one of orders that fill, made in a temporary folder. Argument: its records (default 6,000,000: 3 GB, minutes). Fails when a
// start with a snapshot takes 10 s.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { snapshotsOf } from "../src/app/owner/snapshots.ts";
import { systemClock } from "../src/app/system/system-clock.ts";
import { Engine } from "../src/bot/engine.ts";
import { restoreFrom } from "../src/bot/snapshot.ts";
import { IDLE } from "../src/bot/strategy-host/strategy-state.ts";
import type { Config } from "../src/config/schema.ts";
import { unwrap } from "../src/domain/result.ts";
import { openJournal } from "../src/journal/open-journal.ts";
import { optionsOf } from "../test/journal/journal-options.ts";
import { makeCore } from "../test/support/bot-core.ts";
import { makeLargeJournal } from "../test/support/large-journal.ts";

const GOAL_MS = 10_000;
const DAY_RECORDS = 48_000;
const config = { mode: "paper" } as Config;
const count = Number(process.argv[2] ?? 6_000_000);
const folder = mkdtempSync(join(tmpdir(), "pegbot-start-"));
const path = join(folder, "data", "pegbot.db");
const say = (text: string): void => void process.stdout.write(`  ${text}\n`);

try {
  const journal = unwrap(openJournal(optionsOf(path)));
  const made = performance.now();
  await makeLargeJournal(journal, count, (text) => process.stdout.write(`${text}\n`));
  journal.close();
  const bytes = statSync(path).size;
  say(
    `${count} records, ${Math.round(bytes / 2 ** 20)} MiB, made in ${Math.round((performance.now() - made) / 1_000)} s`,
  );
  await started("without a snapshot", (core, snapshots, now) => snapshots.follow(core, now, true));
  const fresh = await started("with its snapshot");
  const more = unwrap(openJournal(optionsOf(path)));
  await makeLargeJournal(more, DAY_RECORDS, () => undefined, count);
  more.close();
  const late = await started(`with a snapshot ${DAY_RECORDS} records old`);
  if (Math.max(fresh, late) >= GOAL_MS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

type After = (core: Engine, snapshots: ReturnType<typeof snapshotsOf>, now: Engine["books"]["now"]) => void;

/** Opens, which verifies the newest records, and restores. */
async function started(how: string, then?: After): Promise<number> {
  const begun = performance.now();
  const used = process.cpuUsage();
  const journal = unwrap(openJournal(optionsOf(path)));
  const opened = performance.now();
  const snapshots = snapshotsOf({ journal, path, config }, systemClock, say);
  const restored = restoreFrom(
    (saved) => new Engine(makeCore({ writer: "startbench", endedMax: 1_000 }, IDLE, saved), { safePointMs: 10_000 }),
    journal,
    snapshots,
  );
  const core = unwrap(restored.ok ? restored : { ok: false, error: restored.error.message });
  const ms = performance.now() - begun;
  const cpuMs = process.cpuUsage(used).user / 1_000;
  say(
    `${how}: ${Math.round(ms)} ms (user CPU ${Math.round(cpuMs)} ms), of which ${Math.round(opened - begun)} ms to open and verify the newest records`,
  );
  then?.(core, snapshots, core.books.now);
  journal.close();
  return ms;
}
