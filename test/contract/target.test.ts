// The suite's own safety: where it may move money, and what it does to a service without a portal.

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { harmless, openTargets } from "./target.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-contract-"));
const plain = createServer((_request, response) => response.writeHead(404).end("{}")).listen(0, "127.0.0.1");
afterAll(() => {
  plain.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ["http://127.0.0.1:8700/api/v1/", true],
  ["http://localhost/api/v1/", true],
  ["http://[::1]:80/api/v1/", true],
  ["https://api.test.venue.example/api/v1/", true],
  ["https://uat-api.venue.example/api/v1/", true],
  ["https://api.venue.example/api/v1/", false],
  ["https://api.contest.example/api/v1/", false],
  ["https://127.0.0.1.venue.example/api/v1/", false],
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
