// A mint in a process of its own beside a bot that trades on the same key: followed to the end, and killed after it was sent.

import { expect, test } from "vitest";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { type BotStage, botStage, eventually, said } from "../bot-stage.ts";

const HALF_A_DAY_MS = 46_800_000;
const MINT = ["mint", "VCHF", "--chain", "ETH", "--quantity", "150000", "--yes", "--json"] as const;

type Seen = { readonly path: string; readonly outcome: string; readonly monotonicMs: number };

/** Decisions live long enough for a busy machine on a fast clock. */
async function trading(): Promise<BotStage> {
  const risk = { ...paperLimits, decisionAgeMsMax: 30_000, referenceAgeMsMax: 60_000 };
  const stage = await botStage({ risk });
  await stage.portal("credits", { publicKey: stage.publicKey, asset: "CHF", amount: "1000000" });
  await said(stage.run(), /trading/);
  return stage;
}

async function mintsSent(stage: BotStage): Promise<number> {
  return (await stage.requests()).filter(({ path }) => path.endsWith("/mintTokens")).length;
}

test("a mint settles beside a bot that trades, without a refusal, a stale nonce or a gap below one second", async () => {
  const stage = await trading();
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
  const status = JSON.parse((await stage.command("status", "--json")).stdout);
  expect(status).toMatchObject({ standing: { state: "ACTIVE" }, flights: [] });
});

test("a mint whose command is killed with SIGKILL after it was sent is found and followed by the bot, and not sent again", async () => {
  const stage = await trading();
  await stage.portal("faults", { rules: [{ fault: "late-execution", on: "mintTokens", delayMs: 10_000, times: 1 }] });
  const mint = stage.order(...MINT, "--wait");
  await eventually(async () => (await mintsSent(stage)) === 1, "the mint to be sent");
  mint.killGroup("SIGKILL");
  await mint.ended();
  const flights = async () => JSON.parse((await stage.command("status", "--json")).stdout).flights as object[];
  await eventually(async () => (await flights()).length === 1, "the bot to find the mint");
  await stage.portal("clock", { advanceMs: HALF_A_DAY_MS });
  await eventually(async () => (await flights()).length === 0, "the mint to settle", 110_000);
  expect(await mintsSent(stage)).toBe(1);
  expect(JSON.parse((await stage.command("status", "--json")).stdout)).toMatchObject({ standing: { state: "ACTIVE" } });
});
