// `pegbot simulator` as people start it.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { rows } from "../contract/answer.ts";
import { Client, newKeyPair } from "../contract/client.ts";
import { endWithUs } from "../support/end-with-us.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-simulator-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});
const key = newKeyPair();
const command = ["bin/pegbot.js", "simulator", "--port", "0"];

test("says where it is, funds the key, strikes by the faults of a file, and ends with SIGTERM and code 0", async () => {
  const faults = join(folder, "faults.yaml");
  writeFileSync(faults, "rules:\n  - { fault: status, status: 503, on: accountBalance, nth: 2 }\n");
  const flags = ["--seed", "9", "--key", key.publicKey, "--fund", "CHF=12.5,VCHF=3", "--faults", faults];
  const child = spawn(process.execPath, [...command, ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  endWithUs(child, false);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes("Ctrl-C")) break;
  }
  const text = lines.join("\n");
  expect(text).toMatch(/seed +9, profile contract/);
  expect(text).toMatch(/portal +http:\/\/127\.0\.0\.1:[0-9]+\/portal\//);
  const baseUrl = /^simulator +(\S+)$/m.exec(text)?.[1] ?? "";
  const client = new Client(baseUrl, key);
  expect(rows(await client.call("accountBalance"))).toContainEqual({ asset: "CHF", available: "12.5", pending: "0" });
  expect((await client.call("accountBalance")).status).toBe(503);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});

const badFaults = join(folder, "bad.yaml");
writeFileSync(badFaults, "rules:\n  - { fault: gremlin }\n");

test.each([
  ["a port that is none", ["--port", "70000"], "whole number from 0 to 65535"],
  ["a state file below a file", ["--state", join(badFaults, "kept")], "bad.yaml cannot be written (ENOTDIR); name"],
  ["a faults file that is not there", ["--faults", join(folder, "none.yaml")], "none.yaml"],
])("%s is refused with code 2", (_what, flags, message) => {
  const { status, stderr } = spawnSync(process.execPath, [...command, ...flags], { encoding: "utf8" });
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});
