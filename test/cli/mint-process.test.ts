// A mint in a process of its own beside a bot that trades on the same key: followed to the end, and killed after it was sent.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import type { Millis } from "../../src/domain/time.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import type { Program } from "../support/program.ts";
import { type BotStage, botStage, eventually, said } from "./bot-stage.ts";

const HALF_A_DAY_MS = 46_800_000;
const BALANCES_LATE_MS = 30_000;
const MINT = ["mint", "VCHF", "--chain", "ETH", "--quantity", "150000", "--yes", "--json"] as const;

type Seen = { readonly path: string; readonly outcome: string; readonly monotonicMs: number };

/** Decisions live long enough for a busy machine on a fast clock. */
async function trading({ onTestFinished }: TestContext): Promise<readonly [BotStage, Program]> {
  const risk = { ...paperLimits, decisionAgeMsMax: 30_000, referenceAgeMsMax: 60_000 };
  const stage = await botStage({ risk }, onTestFinished);
  await stage.portal("credits", { publicKey: stage.publicKey, asset: "CHF", amount: "1000000" });
  const bot = stage.run();
  await said(bot, /trading/);
  return [stage, bot];
}

async function mintsSent(stage: BotStage): Promise<number> {
  return (await stage.requests()).filter(({ path }) => path.endsWith("/mintTokens")).length;
}

async function statusOf({ ask }: BotStage): Promise<unknown> {
  const { code, stdout, stderr } = await ask("status", "--json");
  expect(code, stderr + stdout).toBe(0);
  return JSON.parse(stdout);
}

// Side by side, each with a key, a venue and a journal of its own: what takes time in them is waiting.
describe.concurrent("a mint", () => {
  test("settles beside a bot that trades, without a refusal, a stale nonce or a gap below one second", async (context) => {
    const [stage] = await trading(context);
    const mint = stage.order(...MINT, "--wait");
    await eventually(async () => (await mintsSent(stage)) === 1, "the mint to be sent");
    await stage.portal("clock", { advanceMs: HALF_A_DAY_MS });
    expect((await mint.ended()).code, mint.stderr()).toBe(0);
    expect(JSON.parse(mint.lines().join("\n"))).toMatchObject({ outcome: "settled" });
    const seen = (await stage.requests()) as unknown as readonly Seen[];
    const gaps = seen.slice(1).map(({ monotonicMs }, i) => monotonicMs - (seen[i] as Seen).monotonicMs);
    process.stdout.write(`mint: ${seen.length} requests, smallest gap ${Math.min(...gaps).toFixed(1)} ms\n`);
    expect(seen.filter(({ outcome }) => /rate|signature|nonce/.test(outcome))).toEqual([]);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(await mintsSent(stage)).toBe(1);
    expect(await statusOf(stage)).toMatchObject({ standing: { state: "ACTIVE" }, flights: [] });
  });

  test.for([400])(
    "that is given three times after a 502 inside HTTP %i is minted once, with lists and balances late",
    async (status, { onTestFinished }) => {
      const stage = await botStage({ risk: paperLimits }, onTestFinished);
      await stage.portal("credits", { publicKey: stage.publicKey, asset: "CHF", amount: "1000000" });
      // Balances show the credit, and for as long again not the mint: 6 s by our clock.
      await sleep(stage.realTime(BALANCES_LATE_MS as Millis) - stage.realTime(0 as Millis));
      await stage.portal("faults", {
        rules: [
          { fault: "error-inside", on: "mintTokens", status },
          { fault: "lists-lagging", delayMs: HALF_A_DAY_MS },
          { fault: "balances-lagging", delayMs: BALANCES_LATE_MS },
        ],
      });
      const first = await stage.ask(...MINT);
      expect(first.code, first.stderr).toBe(4);
      expect(JSON.parse(first.stdout)).toMatchObject({ outcome: "unknown" });
      for (const { code, stderr } of [await stage.ask(...MINT), await stage.ask(...MINT)]) expect(code, stderr).toBe(3);
      expect(await mintsSent(stage)).toBe(1);
    },
  );
});
