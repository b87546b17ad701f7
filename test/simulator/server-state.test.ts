// The state file: what was acknowledged is there after a restart, however the last run ended.

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import type { SimulatorServer } from "../../src/simulator/server.ts";
import { filledOrder } from "../contract/answer.ts";
import { Client, newKeyPair, send } from "../contract/client.ts";
import { endWithUs } from "../support/end-with-us.ts";
import { openAccount, openSimulator, order, portal } from "./server-stage.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-state-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `state-${++files}.jsonl`);
const ledgerOf = async (server: SimulatorServer) => (await portal(server, "ledger")).text;

describe.concurrent("a restart", () => {
  test("gives back ledger, histories, listings and holds, byte for byte", async () => {
    const stateFile = newFile();
    const first = await openSimulator({ stateFile });
    const client = await openAccount(first);
    filledOrder(await client.call("addOrder", order()));
    const mint = await client.call("mintTokens", { asset: "VGBP", blockchain: "ETH", quantity: "100000" });
    await portal(first, "holds", { requestid: (mint.body as { requestid: string }).requestid, held: true });
    await portal(first, "pairs", { symbol: "VCHF/USDC", status: "offline" });
    const reads = ["accountBalance", "queryOrders", "queryTrades", "querySupplyChanges"];
    const look = async (one: Client) => {
      const texts = [(await one.get("client/tradingPairs")).text];
      for (const name of reads) texts.push((await one.call(name)).text);
      return texts;
    };
    const before = [...(await look(client)), await ledgerOf(first)];
    await first.close();
    const second = await openSimulator({ stateFile });
    const again = new Client(second.baseUrl, client.key, 0);
    expect([...(await look(again)), await ledgerOf(second)]).toEqual(before);
    await second.close();
    // The third start reads the snapshot of the second instead of its changes.
    const third = await openSimulator({ stateFile });
    expect([...(await look(new Client(third.baseUrl, client.key, 0))), await ledgerOf(third)]).toEqual(before);
  });

  test("drops a torn last line and nothing else", async () => {
    const stateFile = newFile();
    const first = await openSimulator({ stateFile });
    await openAccount(first);
    const before = await ledgerOf(first);
    await first.close();
    appendFileSync(stateFile, '{"moment":{"venue":1,"settlement":1},"changes":[[["venue","led');
    expect(await ledgerOf(await openSimulator({ stateFile }))).toBe(before);
  });

  test("refuses a file that is damaged in the middle, and one of another kind", async () => {
    const stateFile = newFile();
    const first = await openSimulator({ stateFile });
    await openAccount(first);
    await first.close();
    const lines = readFileSync(stateFile, "utf8").split("\n");
    writeFileSync(stateFile, [lines[0], `${lines[1]?.slice(0, 20)}`, ...lines.slice(2)].join("\n"));
    await expect(openSimulator({ stateFile })).rejects.toThrow("line 2");
    writeFileSync(stateFile, '{"hello":1}\n');
    await expect(openSimulator({ stateFile })).rejects.toThrow("must be a state file");
    writeFileSync(stateFile, '{"format":"pegbot-simulator-state","version":1,"seed":7,"moment":{"venue":1}}\n');
    await expect(openSimulator({ stateFile })).rejects.toThrow("use a new file");
    expect(readFileSync(stateFile, "utf8")).toContain('"version":1');
  });
});

const seed = randomInt(2 ** 31);
test(`kill -9 at random moments loses nothing that was acknowledged (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const stateFile = newFile();
  const key = newKeyPair();
  const credited: string[] = [];
  let attempted = 0;
  for (let round = 0; round < 2; round++) {
    const { child, url } = await startProcess(stateFile, key.publicKey);
    const known = await creditsIn(url);
    expect(credited.filter((amount) => !known.includes(amount))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
    // Counted, not timed: a slow machine must not shorten the round.
    const lastWords = credited.length + random.integer(1, 120);
    const graceMs = random.integer(0, 4);
    const exited = new Promise((resolve) => child.once("exit", resolve));
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const amount = `${++attempted}.5`;
        const body = JSON.stringify({ publicKey: key.publicKey, asset: "CHF", amount });
        const headers = { "content-type": "application/json" };
        const answer = await send(url, { method: "POST", path: "/portal/credits", headers, body });
        if (answer.status === 200) credited.push(amount);
        if (credited.length === lastWords) void sleep(graceMs).then(() => child.kill("SIGKILL"));
      }
    });
    await Promise.allSettled(writers);
    await exited;
  }
  expect(credited.length).toBeGreaterThanOrEqual(2);
  const { child, url } = await startProcess(stateFile, key.publicKey);
  const known = await creditsIn(url);
  expect(credited.filter((amount) => !known.includes(amount))).toEqual([]);
  // At most one credit of each writer was under way when a round ended.
  expect(known.length - credited.length).toBeLessThanOrEqual(2 * 8);
  child.kill("SIGKILL");
});

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

async function startProcess(stateFile: string, publicKey: string): Promise<{ child: ChildProcess; url: string }> {
  const args = ["src/cli/main.ts", "simulator", "--port", "0", "--seed", "5", "--state", stateFile, "--key", publicKey];
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  endWithUs(child, false);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = /^simulator\s+(http:\/\/127\.0\.0\.1:[0-9]+)/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the simulator ended before it said where it is");
}

async function creditsIn(url: string): Promise<string[]> {
  const { body } = await send(url, { method: "GET", path: "/portal/ledger", headers: {}, body: "" });
  const { postings } = body as { postings: { what: string; amount: string }[] };
  return postings.filter(({ what }) => what === "credit").map(({ amount }) => amount);
}
