// Commands in endless loops beside a running bot: one owner asks the venue for all of them, and all come through. As whole
// processes, against the simulator and against one that takes the configured form alone.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { botStage, said } from "../../cli/bot-stage.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";

const SPACING_MS = 1_000;
const { PEGBOT_LOOPS_MS = "8000" } = process.env;
const STRETCH_MS = Number(PEGBOT_LOOPS_MS);

test("three loops beside a bot, at a venue that takes the configured form alone: none is too early, nonces rise, all come through", {
  timeout: TEST_MS_MAX + 2 * STRETCH_MS,
}, async () => {
  const stage = await botStage({ strategy: { use: "./still.ts" } }, onTestFinished, { strict: true });
  writeFileSync(join(stage.folder, "still.ts"), 'export default { name: "still", decide: () => undefined };\n');
  const bot = stage.run();
  await said(bot, /trading/);
  const until = performance.now() + STRETCH_MS;
  const ends: { readonly name: string; readonly code: number | null; readonly stderr: string }[] = [];
  const loop = async (name: string, args: (turn: number) => readonly string[]): Promise<void> => {
    for (let turn = 1; performance.now() < until; turn++) {
      const { code, stderr } = await stage.command(...args(turn));
      ends.push({ name, code, stderr });
    }
  };
  await Promise.all([
    loop("order", (turn) => ["order", "buy", "VCHF/CHF", String(10 + turn), "--price", "1.0045", "--yes"]),
    loop("balances", () => ["balances", "--json"]),
    loop("quotes", () => ["quotes"]),
  ]);
  expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
  expect(new Set(ends.map(({ name }) => name)).size).toBe(3);
  const seen = await stage.requests();
  expect(seen.filter(({ status, outcome }) => status === 429 || /nonce/.test(outcome))).toEqual([]);
  const times = seen.map(({ monotonicMs }) => monotonicMs);
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  process.stdout.write(
    `loops: ${ends.length} commands, ${seen.length} arrivals, smallest gap ${Math.min(...gaps)} ms\n`,
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(SPACING_MS);
  const nonces = seen.flatMap(({ nonce }) => (nonce === undefined ? [] : [Number(nonce)]));
  expect(nonces.length).toBeGreaterThan(10);
  expect(nonces.filter((nonce, i) => i > 0 && nonce <= (nonces[i - 1] ?? 0))).toEqual([]);
});
