// The client of docs/guides/simulator.md, made of curl and openssl, run as it stands in the document.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { faultsSchema } from "../../src/simulator/fault.ts";
import { endWithUs } from "../support/end-with-us.ts";
import { needs } from "../support/needs.ts";

const page = readFileSync("docs/guides/simulator.md", "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map((match) => match[1] as string);

test("curl and openssl alone speak all twelve endpoints", async () => {
  needs("bash", "curl", "openssl");
  const script = ["set -euo pipefail", ...blocks("sh")].join("\n");
  const { code, output } = await run(script, await freePort());
  expect(code, output).toBe(0);
  for (const mark of [
    '"assets":[{"symbol":"VCHF"',
    '"pair":"VCHF/CHF"',
    '{"asset":"CHF","available":"1000000","pending":"0"}',
    '"clordid":"first-order"',
    '"ordstatus":"Filled"',
    '"trades":[{"tradeid"',
    '"spent_currency":"GBP"',
    '"status":"pending"',
    '"status":"settled"',
    '"label":"Treasury"',
    '"reason":null}',
    '"rails":[{"railid"',
    '"payments":[]',
  ])
    expect(output).toContain(mark);
});

test("the fault rules of the document are good rules, and every fault is in its table", () => {
  for (const block of blocks("yaml")) expect(faultsSchema.safeParse(parse(block)).success).toBe(true);
  const kinds = faultsSchema.shape.rules.element.options.map((option) => [...option.shape.fault.values][0] as string);
  expect(kinds.length).toBeGreaterThan(15);
  for (const kind of kinds) expect(page).toMatch(new RegExp(`^\\| .*\`${kind}\`.* \\|`, "m"));
});

async function run(script: string, port: number): Promise<{ code: number | null; output: string }> {
  const child = spawn("bash", ["-c", script], { detached: true, env: { ...process.env, PORT: String(port) } });
  endWithUs(child, true);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
