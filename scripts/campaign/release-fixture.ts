// `npm run campaign fixture`: trades on paper by test/fixture/release/VERSION/pegbot.yaml for a while, and keeps its journal and its books
// there. Run once a release, before its tag: later versions read it, and a test compares the books.

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TRADES_MS = 20_000;
const ASKED: readonly (readonly string[])[] = [
  ["halt", "for the journal of a release"],
  ["resume", "--reason", "for the journal of a release", "--yes"],
  ["order", "buy", "VCHF/CHF", "100", "--price", "1.01", "--yes"],
  ["convert", "1000", "VCHF", "CHF", "--max-cost-bps", "50", "--yes"],
  ["mint", "VCHF", "--chain", "ETH", "--quantity", "1", "--yes"],
];

const launcher = resolve("bin/pegbot.js");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const fixture = resolve("test/fixture/release", version);
const folder = mkdtempSync(join(tmpdir(), "pegbot-fixture-"));
const env = { ...process.env, XDG_STATE_HOME: join(folder, "state"), PEGBOT_TIME_SCALE: `10@${Date.now()}` };

copyFileSync(join(fixture, "pegbot.yaml"), join(folder, "pegbot.yaml"));
const bot = spawn(process.execPath, [launcher, "run", "--port", "0"], { cwd: folder, env, stdio: "inherit" });
await sleep(TRADES_MS);
for (const args of ASKED) process.stdout.write(`${args[0]}: exit ${ask(args).status}\n`);
await sleep(TRADES_MS / 4);
bot.kill("SIGTERM");
await new Promise((ended) => bot.once("exit", ended));
const kept = join(folder, "backup");
for (const args of [
  ["journal", "backup", kept],
  ["journal", "export", "--books", "books.csv", "--format", "csv"],
]) {
  const { status, stderr } = ask(args);
  if (status !== 0) throw new Error(`pegbot ${args.join(" ")} ended with ${status}: ${stderr}`);
}
for (const file of ["pegbot.db", "pegbot.db.anchor"]) cpSync(join(kept, file), join(fixture, file));
cpSync(join(folder, "books.csv"), join(fixture, "books.csv"));
rmSync(folder, { recursive: true });

function ask(args: readonly string[]) {
  return spawnSync(process.execPath, [launcher, ...args], { cwd: folder, env, encoding: "utf8" });
}
