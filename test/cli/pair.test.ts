// A token for a phone, as a QR code of the page's address.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../journal/place.ts";
import { pegbot } from "./pegbot.ts";

const tls = { certFile: "./cert.pem", keyFile: "./key.pem" };
const REACHABLE = { host: "0.0.0.0", port: 8443, names: ["bot.example"], tls, reads: "token" };

async function paired(server: object, ...args: string[]) {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "data"), { mode: 0o700 });
  writeFileSync(join(cwd, "pegbot.yaml"), stringify({ mode: "paper", server }));
  const env = { PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), HOME: cwd, XDG_STATE_HOME: join(cwd, "state") };
  const done = await pegbot(["pair", ...args], { cwd, env });
  return { ...done, tokens: readdirSync(join(cwd, "data")), data: join(cwd, "data") };
}

test("pair prints a code of the page with a token of its own that may halt; --approve gives more", async () => {
  const { code, stdout, data } = await paired(REACHABLE, "anna");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[ \u2580-\u2588]{20,}$/m);
  expect(stdout).toMatch(/https:\/\/bot\.example:8443\/#token=[0-9a-f]{64}\n/);
  expect(readFileSync(join(data, "pegbot.db.token.anna"), "utf8")).toMatch(/^anna halt [0-9a-f]{64}\n$/);
  const more = await paired(REACHABLE, "ben", "--approve", "--json");
  expect(JSON.parse(more.stdout)).toMatchObject({ name: "ben", scope: "approve" });
});

test("pair is refused where no phone reaches the page, with the lines to set, and makes no token", async () => {
  const { code, stderr, tokens } = await paired({});
  expect(code).toBe(2);
  expect(stderr).toMatch(/no phone reaches the page.*\n?.*server\.host: 0\.0\.0\.0, server\.names/s);
  expect(tokens).toEqual([]);
});
