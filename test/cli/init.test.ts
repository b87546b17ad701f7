import { createPublicKey } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { init } from "../../src/cli/command/init.ts";
import { type Loaded, loadConfig, parseConfig } from "../../src/config/load.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { presets, resolveProfile } from "../../src/exchange/profile.ts";
import { sealCheaply } from "../support/cheap-keystore.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const PASSPHRASE = "correct horse battery";
const baseUrl = "https://venue.example/api/v1/";
const flags = { purpose: "live", baseUrl, environment: "test", curve: "p256", key: "file" } as const;
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
  it("writes for a look what paper trading needs: no key, no venue, no limits", async () => {
    const shell = recordedShell({ configFile, json: true });
    expect(await init(shell, { yes: true })).toBe(0);
    expect(JSON.parse(shell.stdout())).toEqual({ configFile });
    expect(readdirSync(folder).toSorted()).toEqual(["pegbot.yaml"]);
    expect(loaded()).toMatchObject({ mode: "paper", market: { source: "demo" } });
    expect(loaded().key).toBeUndefined();
  });

  it("writes for live what passes the check once it is confirmed, and a key only its owner can read", async () => {
    const shell = recordedShell({ configFile });
    expect(await init(shell, { ...flags, equity: "250000" })).toBe(0);
    const written = loadConfig(configFile, {});
    expect(written).toMatchObject({ ok: false, error: [{ text: expect.stringContaining("live mode needs confirm") }] });
    const text = readFileSync(configFile, "utf8");
    const config = unwrap(parseConfig(text.replace("# confirm:", "confirm:"), configFile, {})).config;
    expect(config).toMatchObject({ mode: "live", venue: { baseUrl, environment: "test", profile: "contract" } });
    // 5 % of the equity that was named.
    expect(String(config.risk?.orderValueMax)).toBe("12500");
    // A firm begins with standing conversions, of which each step is asked for.
    expect([config.strategy.use, config.treasury.approvals.automatic]).toEqual(["hold", true]);
    expect(config.conversions["keep-coins"]).toMatchObject({ keep: "VCHF", high: Quantity.of("250000") });
    expect(config.key?.file).toBe(join(folder, "keys", "test.pem"));
    expect(statSync(join(folder, "keys", "test.pem")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "keys")).mode & 0o777).toBe(0o700);
    const publicKey = createPublicKey(readFileSync(join(folder, "keys", "test.pem")));
    expect(shell.stdout()).toContain(publicKey.export({ type: "spki", format: "der" }).toString("base64"));
    expect(shell.stdout()).toContain("Register the public key in the portal of the test environment");
  });

  it("asks at a terminal for what no flag said, and takes every answer", async () => {
    sealCheaply();
    const prompts = scriptedPrompts("live", baseUrl, "production", "secp256k1", "keystore", PASSPHRASE, PASSPHRASE);
    await init(recordedShell({ interactive: true, configFile }), {}, prompts);
    expect(prompts.asked).toHaveLength(7);
    const text = readFileSync(configFile, "utf8").replace("# confirm:", "confirm:");
    const { config } = unwrap(parseConfig(text, configFile, {}));
    expect(config.venue.environment).toBe("production");
    expect(resolveProfile(config.venue.profile).curve).toBe("secp256k1");
    expect(config.key?.keystore).toBe(join(folder, "keys", "production.age"));
  });

  it("writes the strategy that is asked for in place of standing conversions", async () => {
    await init(recordedShell({ configFile }), { ...flags, strategy: "peg-arbitrage" });
    const text = readFileSync(configFile, "utf8").replace("# confirm:", "confirm:");
    const { config } = unwrap(parseConfig(text, configFile, {}));
    expect([config.strategy.use, config.conversions]).toEqual(["peg-arbitrage", {}]);
  });

  it("asks nothing without a terminal: it names the flags that are missing and writes nothing", async () => {
    const attempt = (given: object) => init(recordedShell({ configFile }), given, scriptedPrompts());
    await expect(attempt({})).rejects.toMatchObject({ code: 2, message: expect.stringContaining("give --purpose") });
    await expect(attempt({ purpose: "live", curve: "p256" })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining("give --base-url, --environment, --key"),
      next: "or --yes for the defaults",
    });
    await expect(attempt({ ...flags, baseUrl: "venue.example" })).rejects.toMatchObject({ code: 2 });
    await expect(attempt({ ...flags, key: "keystore" })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining("--passphrase-file"),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes a profile with its curve and its instruments, and none that contradicts --curve", async () => {
    const profile = join(folder, "venue.yaml");
    const switches = { curve: { is: "secp256k1", by: "key" }, signedPath: { is: "relative", by: "doctor" } };
    const instruments = { "VCHF/USDC": { quantityMin: "30", quantityDecimals: 5 } };
    writeFileSync(profile, JSON.stringify({ name: "venue", date: "2026-11-19", switches, instruments }));
    const local = { purpose: "look", baseUrl: "http://127.0.0.1:8700/api/v1/", profile, yes: true } as const;
    await expect(init(recordedShell({ configFile }), { ...local, curve: "p256" })).rejects.toMatchObject({ code: 2 });
    const shell = recordedShell({ configFile, json: true });
    await init(shell, local);
    expect(JSON.parse(shell.stdout())).toMatchObject({ curve: "secp256k1" });
    const { venue, mode } = loaded();
    expect(resolveProfile(venue.profile)).toEqual({
      ...presets.contract,
      curve: "secp256k1",
      signedPath: "relative",
    });
    expect(String(venue.instruments["VCHF/USDC"]?.quantityMin)).toBe("30");
    expect(mode).toBe("paper");
  });

  it.each(["pegbot.yaml", "keys/test.pem"])("refuses to replace %s, and writes nothing else", async (name) => {
    mkdirSync(join(folder, "keys"));
    writeFileSync(join(folder, name), "precious");
    await expect(init(recordedShell({ configFile }), flags)).rejects.toMatchObject({
      code: 2,
      message: `${join(folder, name)} exists already, and is never overwritten`,
    });
    expect(readFileSync(join(folder, name), "utf8")).toBe("precious");
  });
});
