// The reads against a real simulator: through configuration, key file, ledger, signature and HTTP, one key per test.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { read } from "../../src/cli/command/read.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import type { ReadInput } from "../../src/operation/read.ts";
import type { SimulatorServer } from "../../src/simulator/server.ts";
import { type KeyPair, newKeyPair } from "../contract/client.ts";
import { openAccount, openSimulator, order, portal } from "../simulator/server-stage.ts";
import { type RecordedShell, recordedShell } from "../support/recorded-shell.ts";

let server: SimulatorServer;
const folders: string[] = [];

beforeAll(async () => {
  vi.stubEnv("XDG_STATE_HOME", newFolder());
  server = await openSimulator();
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-read-"));
  folders.push(folder);
  return folder;
}

function shellOf(key: KeyPair, baseUrl = server.baseUrl, json = false): RecordedShell {
  const folder = newFolder();
  const pem = key.privateKey.export({ type: "pkcs8", format: "pem" });
  createSecretFile(join(folder, "key.pem"), Buffer.from(pem), "key file");
  const configFile = join(folder, "pegbot.yaml");
  writeFileSync(configFile, `venue: { baseUrl: "${baseUrl}" }\nkey: { file: ./key.pem }\n`);
  return { ...recordedShell({ configFile, json }), clock: systemClock };
}

async function failure(work: Promise<unknown>): Promise<CommandFailure> {
  const caught = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(caught).toBeInstanceOf(CommandFailure);
  return caught as CommandFailure;
}

test.concurrent("balances are a table with amounts to the right", async () => {
  const key = newKeyPair();
  await openAccount(server, key);
  const shell = shellOf(key);
  expect(await read(shell, { list: "balances" })).toBe(0);
  expect(shell.stdout().split("\n")).toEqual(
    expect.arrayContaining(["asset  available  pending", "CHF      1000000        0", "GBP       500000        0"]),
  );
});

test.concurrent("a filled order is in orders and trades, as exact decimals in JSON", async () => {
  const key = newKeyPair();
  const client = await openAccount(server, key);
  await client.call("addOrder", order({ clordid: "read-1" }));
  const [orders, trades] = [shellOf(key, server.baseUrl, true), shellOf(key, server.baseUrl, true)];
  await read(orders, { list: "orders" });
  await read(trades, { list: "trades" });
  const [placed] = JSON.parse(orders.stdout());
  expect(placed).toMatchObject({ clientOrderId: "read-1", symbol: "VCHF/CHF", side: "buy", quantity: "50" });
  const [trade] = JSON.parse(trades.stdout());
  expect(trade).toMatchObject({ clientOrderId: "read-1", bought: "50 VCHF", fee: "0 CHF" });
  expect(trade.at).toMatch(/^\d{4}-\d{2}-\d{2}T[0-9:.]+Z$/);
});

test.concurrent.each<[ReadInput["list"] & string, RegExp]>([
  ["assets", /VCHF\s+Swiss franc/],
  ["pairs", /VCHF\/CHF\s+online/],
  ["quotes", /VCHF\/CHF(\s+[0-9.]+){5}/],
  ["orders", /^no orders$/m],
  ["trades", /^no trades$/m],
  ["rails", /^no rails$/m],
  ["payments", /^no payments$/m],
  ["addresses", /^no whitelisted addresses/m],
])("%s of a new account are shown", async (name, expected) => {
  const key = newKeyPair();
  await openAccount(server, key);
  const shell = shellOf(key);
  expect(await read(shell, { list: name } as ReadInput)).toBe(0);
  expect(shell.stdout()).toMatch(expected);
});

test.concurrent("a mint is in supply, a whitelisted address in addresses, and deposits have an address", async () => {
  const key = newKeyPair();
  const client = await openAccount(server, key);
  await client.call("mintTokens", { asset: "VCHF", blockchain: "ETH", quantity: "150000" });
  const address = { asset: "VCHF", blockchain: "ETH", address: `0x${"ab".repeat(20)}`, label: "treasury" };
  await portal(server, "/portal/addresses", { publicKey: key.publicKey, ...address, confirmed: true });
  const shell = shellOf(key);
  await read(shell, { list: "supply", asset: "VCHF" });
  await read(shell, { list: "addresses" });
  await read(shell, { list: "deposit", asset: "VCHF", blockchain: "ETH" });
  expect(shell.stdout()).toMatch(/VCHF\s+ETH\s+150000\s+pending/);
  expect(shell.stdout()).toMatch(/VCHF\s+ETH\s+treasury\s+Confirmed\s+0xabab/);
  expect(shell.stdout().trimEnd().split("\n").at(-1)).toMatch(/^VCHF\s+ETH\s+0x[0-9a-f]{40}$/);
});

test.concurrent("a key that the venue does not know ends with 3 and names doctor", async () => {
  const refused = await failure(read(shellOf(newKeyPair()), { list: "balances" }));
  expect(refused.code).toBe(3);
  expect(refused.message).toMatch(/^unauthorized: /);
  expect(refused.next).toMatch(/pegbot doctor/);
});

test.concurrent("a venue that is not there ends with 1", async () => {
  const refused = await failure(read(shellOf(newKeyPair(), "http://127.0.0.1:9/api/v1/"), { list: "pairs" }));
  expect(refused.code).toBe(1);
  expect(refused.message).toMatch(/^connect: /);
});

test("a configuration without an address ends with 2 and says how to get a venue", async () => {
  const configFile = join(newFolder(), "pegbot.yaml");
  writeFileSync(configFile, "mode: paper\n");
  const refused = await failure(read(recordedShell({ configFile }), { list: "balances" }));
  expect(refused.code).toBe(2);
  expect(refused.next).toMatch(/pegbot simulator/);
});
