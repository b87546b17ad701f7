// A size that a limit cuts, as a whole: in a backtest and on paper the order leaves as large as the limit, and the rule is named.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { botFolder, logged } from "../app/bot/bot-process.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";
import { writeColumns } from "../support/write-columns.ts";

/** Wants twelve times what one order may be. */
const STRATEGY = `import { defineStrategy } from "pegbot/strategy";
let quotes = 0;
export default defineStrategy({
  name: "greedy",
  decide({ quote, sell }) {
    if (quote.symbol !== "VCHF/CHF" || ++quotes % 20 !== 0) return undefined;
    return sell(quote.symbol, { limit: 1, size: "60000", reason: "greedy" });
  },
});
`;

const CUT = "RC01: order is worth 60,000 CHF, limit is 5,000 CHF; size cut from 60,000 to 5,000";

it("leaves as 5,000 of 60,000 in a backtest", async () => {
  const folder = temporaryFolder();
  const strategy = join(folder, "greedy.ts");
  writeFileSync(strategy, STRATEGY);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const rows = ["time,bid,ask,bidSize,askSize"];
  for (let i = 0; i < 600; i++) rows.push(`${Date.UTC(2026, 0, 6) + i * 1_000},1.0001,1.0003,100000,100000`);
  writeColumns(join(folder, "VCHF-CHF.columns"), rows.join("\n"));
  const args = [
    "--data",
    join(folder, "VCHF-CHF.columns"),
    "--out",
    join(folder, "report.html"),
    "--strategy",
    strategy,
  ];
  const { code, stdout, stderr } = await runHere(
    ["backtest", ...args, "--limit", "orderValueMax=5000", "--json"],
    recordedShell(),
  );
  expect(code, stderr).toBe(0);
  const { trades, caps } = JSON.parse(stdout);
  expect(trades.length).toBeGreaterThan(0);
  // The last ones are what is left above the reserve.
  const sizes = trades.map(({ quantity }: { quantity: string }) => Number(quantity));
  expect([sizes[0], Math.max(...sizes)]).toEqual([5_000, 5_000]);
  expect(caps.RC01).toMatchObject({ orders: expect.any(Number), message: CUT.slice("RC01: ".length) });
});

it("leaves as 5,000 of 60,000 on paper", async (context) => {
  const bot = botFolder(context);
  writeFileSync(join(bot.folder, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(bot.folder, "greedy.ts"), STRATEGY.replace("limit: 1,", "limit: 0.9999,"));
  const config = { strategy: { use: "./greedy.ts" }, risk: { ...paperLimits, orderValueMax: "5000" } };
  writeFileSync(join(bot.folder, "pegbot.yaml"), JSON.stringify(config));
  const program = bot.pegbot("run", "--port", "0");
  // 5,000 / 0.9999 = 5,000.50005
  await logged(program, /sell 5000\.5\d* VCHF\/CHF at 0\.9999.*capped by RC01: .*size cut from 60,000 to 5,000\.5/);
  program.kill("SIGTERM");
  await program.ended();
});
