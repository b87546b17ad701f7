import { createPrivateKey, createPublicKey } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { generateKey, showKey } from "../../src/cli/command/keys.ts";
import { readSecretFile } from "../../src/exchange/key/secret-file.ts";
import { canary, canaryKey } from "../support/canary.ts";
import { sealCheaply } from "../support/cheap-keystore.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { pegbot } from "./pegbot.ts";

const PASSPHRASE = canary("passphrase");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-keys-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("keys generate", () => {
  it.each([
    ["p256", "prime256v1"],
    ["secp256k1", "secp256k1"],
  ] as const)(
    "writes a private key on %s that only its owner can read, and prints the public half",
    async (curve, name) => {
      const out = join(folder, "deep", `${curve}.pem`);
      const shell = recordedShell({ json: true });
      expect(await generateKey(shell, { curve, out })).toBe(0);
      const shown = JSON.parse(shell.stdout());
      const key = createPrivateKey(readFileSync(out));
      expect(key.asymmetricKeyDetails?.namedCurve).toBe(name);
      expect(statSync(out).mode & 0o777).toBe(0o600);
      expect(shown).toEqual({
        file: out,
        curve,
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        publicKey: createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64"),
      });
    },
  );

  it("never replaces a key, and asks for no passphrase before it says so", async () => {
    const out = join(folder, "taken.pem");
    writeFileSync(out, "precious", { mode: 0o600 });
    const prompts = scriptedPrompts();
    await expect(
      generateKey(recordedShell({ interactive: true }), { curve: "p256", out, encrypt: true }, prompts),
    ).rejects.toMatchObject({ code: 2, message: `${out} exists already, and is never overwritten` });
    expect(prompts.asked).toEqual([]);
    expect(readFileSync(out, "utf8")).toBe("precious");
  });

  it("encrypts under a passphrase that was typed twice, opens under it and under no other", async () => {
    const out = join(folder, "sealed.age");
    const prompts = scriptedPrompts(PASSPHRASE, PASSPHRASE);
    const shell = recordedShell({ interactive: true, json: true });
    await generateKey(shell, { curve: "p256", out, encrypt: true }, prompts);
    const sealed = readFileSync(out, "utf8");
    expect(sealed).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
    // Every guess costs 2^18 of scrypt's work, as age itself has it.
    expect(Buffer.from(sealed.replaceAll(/-----.*-----/g, ""), "base64").toString("latin1")).toMatch(
      /^-> scrypt \S+ 18$/m,
    );
    const again = recordedShell({ interactive: true, json: true });
    await showKey(again, out, {}, scriptedPrompts(PASSPHRASE));
    expect(again.stdout()).toBe(shell.stdout());
    sealCheaply();
    const cheap = join(folder, "cheap.age");
    const typed = scriptedPrompts(PASSPHRASE, PASSPHRASE);
    await generateKey(recordedShell({ interactive: true }), { curve: "p256", out: cheap, encrypt: true }, typed);
    const opening = showKey(recordedShell({ interactive: true }), cheap, {}, scriptedPrompts("not this passphrase"));
    await expect(opening).rejects.toMatchObject({ code: 2, message: expect.stringContaining("wrong passphrase") });
  });

  it("refuses two passphrases that differ, a short one, and a question nobody can answer", async () => {
    const out = join(folder, "never.age");
    const options = { curve: "p256", out, encrypt: true } as const;
    const interactive = recordedShell({ interactive: true });
    await expect(generateKey(interactive, options, scriptedPrompts(PASSPHRASE, "another one"))).rejects.toMatchObject({
      code: 2,
      message: "the two passphrases must be the same, were different",
    });
    await expect(generateKey(interactive, options, scriptedPrompts("short", "short"))).rejects.toMatchObject({
      code: 2,
      message: "passphrase must have at least 12 characters",
    });
    await expect(generateKey(recordedShell(), options)).rejects.toMatchObject({
      code: 2,
      message:
        "a passphrase is needed and there is no terminal to ask at: name a file with --passphrase-file or key.passphraseFile",
    });
    expect(existsSync(out)).toBe(false);
  });
});

it("a key comes from systemd's credentials by name, for a unit that has it from root", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-credential-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const given = join(folder, "given");
  mkdirSync(given);
  const key = join(given, "key.pem");
  writeFileSync(key, canaryKey().export({ type: "pkcs8", format: "pem" }), { mode: 0o400 });
  writeFileSync(join(folder, "pegbot.yaml"), "key: { file: credential:key.pem }\n");
  const show = (env: Record<string, string>) => pegbot(["keys", "show"], { cwd: folder, env });
  const shown = await show({ CREDENTIALS_DIRECTORY: given });
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/^curve {8}p256\nfingerprint/);
  expect((await show({})).stderr).toContain("/run/credentials/pegbot.service/key.pem does not exist");
  // systemd lets the bot's user read root's file by an ACL, which shows as the right of root's group.
  const isRoot = process.getuid?.() === 0;
  chmodSync(key, 0o440);
  expect(readSecretFile(key, "key file").ok).toBe(isRoot);
  chmodSync(key, 0o444);
  expect(readSecretFile(key, "key file").ok).toBe(false);
  if (isRoot) chownSync(key, 0, 1);
  chmodSync(key, 0o440);
  expect(readSecretFile(key, "key file").ok).toBe(false);
});
