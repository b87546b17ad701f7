import { createPublicKey } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { init } from "../../src/cli/command/init.ts";
import { type Loaded, loadConfig, parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { resolveProfile } from "../../src/exchange/profile.ts";
import { sealCheaply } from "../support/cheap-keystore.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const PASSPHRASE = "correct horse battery";
const flags = { environment: "test", curve: "p256", key: "file" } as const;
let folder: string;
let configFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-init-"));
  configFile = join(folder, "pegbot.yaml");
});
afterEach(() => rmSync(folder, { recursive: true }));

function loaded(): Loaded["config"] {
  return unwrap(loadConfig(configFile, {})).config;
}

describe("init", () => {
  it("writes a paper configuration that passes the check, a key only its owner can read, and a package.json", async () => {
    const shell = recordedShell({ configFile });
    expect(await init(shell, flags)).toBe(0);
    const config = loaded();
    expect(config).toMatchObject({ mode: "paper", venue: { environment: "test", profile: "contract" } });
    expect(config.venue.baseUrl).toBeUndefined();
    expect(config.key?.file).toBe(join(folder, "keys", "test.pem"));
    expect(statSync(join(folder, "keys", "test.pem")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "keys")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual({ private: true, type: "module" });
    const publicKey = createPublicKey(readFileSync(join(folder, "keys", "test.pem")));
    expect(shell.stdout()).toContain(publicKey.export({ type: "spki", format: "der" }).toString("base64"));
    expect(shell.stdout()).toContain("Register the public key in the portal of the test environment");
    expect(shell.stdout()).toContain("then run pegbot doctor.");
  });

  it("asks at a terminal for what no flag said, and takes every answer", async () => {
    sealCheaply();
    const prompts = scriptedPrompts("production", "secp256k1", "keystore", PASSPHRASE, PASSPHRASE);
    await init(recordedShell({ interactive: true, configFile }), {}, prompts);
    expect(prompts.asked).toHaveLength(5);
    const config = loaded();
    expect(config.venue.environment).toBe("production");
    expect(resolveProfile(config.venue.profile).curve).toBe("secp256k1");
    expect(config.key?.keystore).toBe(join(folder, "keys", "production.age"));
  });

  it("asks nothing without a terminal: it names the flags that are missing and writes nothing", async () => {
    const attempt = init(recordedShell({ configFile }), { curve: "p256" }, scriptedPrompts());
    await expect(attempt).rejects.toMatchObject({
      code: 2,
      message: "there is no terminal to ask at: give --environment, --key",
      next: "or --yes for the defaults",
    });
    const keystore = init(recordedShell({ configFile }), { ...flags, key: "keystore" }, scriptedPrompts());
    await expect(keystore).rejects.toMatchObject({ code: 2, message: expect.stringContaining("--passphrase-file") });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes the defaults with --yes, and a flag beats a default", async () => {
    const shell = recordedShell({ configFile, json: true });
    await init(shell, { yes: true, curve: "secp256k1" });
    expect(JSON.parse(shell.stdout())).toEqual({
      configFile,
      keyFile: join(folder, "keys", "test.pem"),
      packageFile: join(folder, "package.json"),
      curve: "secp256k1",
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      publicKey: expect.any(String),
    });
    expect(resolveProfile(loaded().venue.profile).curve).toBe("secp256k1");
  });

  it.each(["pegbot.yaml", "keys/test.pem"])("refuses to replace %s, and writes nothing else", async (name) => {
    mkdirSync(join(folder, "keys"));
    writeFileSync(join(folder, name), "precious");
    await expect(init(recordedShell({ configFile }), flags)).rejects.toMatchObject({
      code: 2,
      message: `${join(folder, name)} exists already, and is never overwritten`,
    });
    expect(readFileSync(join(folder, name), "utf8")).toBe("precious");
    expect(existsSync(join(folder, "package.json"))).toBe(false);
  });

  it("takes back the key when the configuration cannot be written", async () => {
    symlinkSync(join(folder, "nowhere", "at", "all"), configFile);
    await expect(init(recordedShell({ configFile }), flags)).rejects.toThrow("EEXIST");
    expect(readdirSync(join(folder, "keys"))).toEqual([]);
    expect(existsSync(join(folder, "package.json"))).toBe(false);
  });

  it("writes a configuration whose comments, uncommented, make a live one that passes the check", async () => {
    await init(recordedShell({ configFile }), { ...flags, equity: "250000" });
    const text = readFileSync(configFile, "utf8")
      .replace("mode: paper", "mode: live")
      .replace("# confirm:", "confirm:")
      .replace("# baseUrl:", "baseUrl:")
      .replace("# risk:", "risk:")
      .replaceAll(/^# {3}(?=\w+: )/gm, "  ");
    const live = parseConfig(text, configFile, {});
    expect(live).toMatchObject({ ok: true });
    // 5 % of the equity that was named.
    expect(String(unwrap(live).config.risk?.orderValueMax)).toBe("12500");
  });
});
