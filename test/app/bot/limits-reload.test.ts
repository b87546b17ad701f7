// The limits of a running bot are changed without a restart: by `limits reload` and by SIGHUP, whole processes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { isAlive } from "../../support/program.ts";
import { type BotFolder, botFolder, logged } from "./bot-process.ts";

/** Wants the same size at every other quote, at a limit of its own each time. */
const STRATEGY = `import { defineStrategy } from "pegbot/strategy";
let quotes = 0;
export default defineStrategy({
  name: "sized",
  decide({ quote, sell }) {
    if (quote.symbol !== "VCHF/CHF" || ++quotes % 2 !== 0) return undefined;
    return sell(quote.symbol, { limit: quote.bid, size: "60", reason: "sized" });
  },
});
`;

function write(bot: BotFolder, limits: object): void {
  const risk = { ...paperLimits, ...limits };
  const config = { strategy: { use: "./sized.ts" }, risk };
  writeFileSync(join(bot.folder, "pegbot.yaml"), JSON.stringify(config));
}

async function trading(bot: BotFolder) {
  writeFileSync(join(bot.folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(bot.folder, "sized.ts"), STRATEGY);
  write(bot, {});
  const program = bot.pegbot("run", "--port", "0");
  await logged(program, /sell 60 VCHF\/CHF/);
  return program;
}

async function ended(bot: BotFolder, ...args: string[]) {
  const program = bot.pegbot(...args);
  const { code } = await program.ended();
  return { code, stdout: program.lines().join("\n"), stderr: program.stderr() };
}

test("limits reload tightens a running bot at once and on record, refuses a widening, and commands go by the tighter", async (context) => {
  // The command decides by prices of the machine's own seconds.
  const bot = botFolder(context, { scale: 1 });
  const program = await trading(bot);
  expect(await ended(bot, "limits", "reload")).toMatchObject({
    code: 0,
    stdout: "the bot goes by the limits of the configuration already",
  });
  write(bot, { orderValueMax: "30", orderQuantityMax: "off: the value is enough here" });
  const reloaded = await ended(bot, "limits", "reload");
  expect(reloaded).toMatchObject({ code: 3, stdout: "in force  risk.orderValueMax 15000 -> 30" });
  expect(reloaded.stderr).toMatch(/not taken over: .*risk\.orderQuantityMax\.VCHF\/CHF 15000 -> absent/);
  expect(reloaded.stderr).toContain("a widening needs a restart");
  await logged(program, /tighter by \S+: risk\.orderValueMax 15000 -> 30/);
  await logged(program, /sell (29|30)(\.\d+)? VCHF\/CHF/);
  // Wider in the file again: the bot keeps what it has, and a command goes by the bot's.
  write(bot, {});
  expect(await ended(bot, "limits", "reload")).toMatchObject({ code: 3, stdout: "" });
  const order = ["order", "sell", "VGBP/GBP", "45", "--price", "0.996", "--yes"];
  const refused = await ended(bot, ...order);
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toMatch(/the limits leave \d+(\.\d+)? of 45: RC01/);
  program.kill("SIGTERM");
  expect((await program.ended()).code).toBe(0);
  const { stdout } = await ended(bot, "journal", "list", "--last", "2000");
  expect(stdout).toMatch(/limits by \S+: risk\.orderValueMax 15000 -> 30/);
});

test("SIGHUP reads the limits again and stops nothing; a file with mistakes changes nothing", async (context) => {
  const bot = botFolder(context);
  const program = await trading(bot);
  writeFileSync(join(bot.folder, "pegbot.yaml"), "risk: {");
  program.kill("SIGHUP");
  await logged(program, /no limit is changed: .*pegbot\.yaml has mistakes: pegbot config check names them/);
  write(bot, { orderValueMax: "30" });
  program.kill("SIGHUP");
  await logged(program, /tighter by SIGHUP: risk\.orderValueMax 15000 -> 30/);
  await logged(program, /sell (29|30)(\.\d+)? VCHF\/CHF/);
  expect(isAlive(program.pid)).toBe(true);
  program.kill("SIGTERM");
  expect((await program.ended()).code).toBe(0);
});
