import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { canary, canaryKey, findsIn, holdsCanary } from "./support/canary.ts";

test("every spelling of a key or a text of the suite is found, and no other key", () => {
  const key = canaryKey();
  const pem = String(key.export({ type: "pkcs8", format: "pem" }));
  const scalar = Buffer.from(String(key.export({ format: "jwk" }).d), "base64url");
  const spellings = [
    pem,
    String(key.export({ type: "sec1", format: "pem" })),
    key.export({ type: "pkcs8", format: "der" }),
    Buffer.from(pem).toString("base64"),
    scalar.toString("hex"),
    scalar.toString("base64"),
    JSON.stringify([...scalar]),
    inspect(scalar),
    `log: password ${canary("mail")} refused`,
    Buffer.from(`bot:${canary("mail")}`).toString("base64"),
  ];
  for (const spelling of spellings) expect(holdsCanary(spelling), String(spelling).slice(0, 40)).toBe(true);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  expect(holdsCanary(String(other.export({ type: "pkcs8", format: "pem" })))).toBe(false);
});

test("a folder is searched when it is removed: a secret in a log, a bot's token next to it, and a core are finds", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-canary-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "key.pem"), canaryKey().export({ type: "pkcs8", format: "pem" }));
  const token = "0123456789abcdef".repeat(4);
  writeFileSync(join(folder, "pegbot.db.token"), `${token}\n`);
  expect(findsIn(folder)).toEqual([]);
  const found = { "bot.log": `login ${canary("mail")}`, "report.html": `<b>${token}</b>`, core: "" };
  for (const [name, text] of Object.entries(found)) writeFileSync(join(folder, name), text);
  expect([...findsIn(folder)].sort()).toEqual(
    Object.keys(found)
      .map((name) => join(folder, name))
      .sort(),
  );
  for (const name of Object.keys(found)) unlinkSync(join(folder, name));
  // Every process that runs tests removes with the search.
  expect(rmSync.name).toBe("searchingRm");
});
