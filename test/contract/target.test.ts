// The suite's own safety: where it may move money, and what it does to a service without a portal.

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { authenticationCases } from "./authentication.ts";
import { type Answer, type Bend, Client, newKeyPair } from "./client.ts";
import { limitCases } from "./limits.ts";
import { mintCases } from "./mints.ts";
import { orderCases } from "./orders.ts";
import { publicCases } from "./public.ts";
import { railCases } from "./rails.ts";
import { harmless, openTargets } from "./target.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-contract-"));
const plain = createServer((_request, response) => response.writeHead(404).end("{}")).listen(0, "127.0.0.1");
afterAll(() => {
  plain.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ["http://127.0.0.1:8700/api/v1/", true],
  ["https://api.test.venue.example/api/v1/", true],
  ["https://api.venue.example/api/v1/", false],
  ["https://api.contest.example/api/v1/", false],
  ["https://venue.example/test/api/v1/", false],
])("%s may be moved money on: %s", (url, expected) => {
  expect(harmless(url)).toBe(expected);
});

test("without a portal money moves only with consent, and the key comes from the file", async () => {
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/api/v1/`;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = join(folder, "key.pem");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const [silent] = await openTargets({ url, key });
  expect(silent).toMatchObject({ portalUrl: undefined, mayMoveMoney: false });
  expect(silent?.sharedKey?.publicKey).toMatch(/^MFkw/);
  const [agreed] = await openTargets({ url, key, spend: "yes" });
  expect(agreed?.mayMoveMoney).toBe(true);
});

/** Notes what a case would send first, and sends nothing. */
class Recorder extends Client {
  readonly sent: string[] = [];

  constructor() {
    super("http://127.0.0.1:1/api/v1/", newKeyPair());
  }

  override async call(name: string, fields: Record<string, string> = {}): Promise<Answer> {
    return this.note(name, JSON.stringify(fields));
  }

  override async callJson(name: string, value: unknown, bend: Bend = {}): Promise<Answer> {
    return this.note(name, bend.body ?? JSON.stringify(value));
  }

  override async get(path: string): Promise<Answer> {
    return this.note(path, "");
  }

  private note(name: string, body: string): never {
    this.sent.push(`${name} ${body}`);
    throw new Error("nothing is sent");
  }
}

test("without consent nothing is sent that a service laxer than the contract could turn into money", async () => {
  const cases = [publicCases, authenticationCases, limitCases, orderCases, mintCases, railCases].flat();
  const unasked = cases.filter((one) => !one.movesMoney);
  expect(unasked.length).toBeGreaterThan(40);
  const recorder = new Recorder();
  const target = { name: "", baseUrl: "", portalUrl: "", sharedKey: undefined, mayMoveMoney: false };
  const stage = { client: recorder, target: { ...target, close: async () => undefined }, portal: async () => ({}) };
  await Promise.allSettled(unasked.map((one) => one.run(stage)));
  const writing = recorder.sent.filter((line) => /^(addOrder|mintTokens|addPaymentRail) /.test(line));
  const harmlessOnes = [
    /^addOrder \{\}$/,
    /^addOrder .*"symbol":"VCHF\/XYZ"/,
    /^addPaymentRail \{"railtype":"none"/,
    /^addPaymentRail \{"railtype":$/,
    /^addPaymentRail \{"railtype":"StablecoinToFiat"\}$/,
  ];
  expect(writing.length).toBeGreaterThan(3);
  expect(writing.filter((line) => !harmlessOnes.some((form) => form.test(line)))).toEqual([]);
});
