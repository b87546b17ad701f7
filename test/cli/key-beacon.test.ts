import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClosing } from "../../src/cli/bot/closing.ts";
import { openVenue } from "../../src/cli/bot/open-venue.ts";
import { heldElsewhere, holdKey } from "../../src/cli/key-beacon.ts";
import { openExchange } from "../../src/cli/open-exchange.ts";
import { openSigner } from "../../src/cli/open-signer.ts";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { completeConfig } from "../config/complete.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";

const isLinux = process.platform === "linux";
const newKey = (): string => randomUUID();

/** A live configuration with a key of its own. */
async function live() {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(folder, "key.pem");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const text = JSON.stringify({ ...completeConfig(), key: { file } });
  const { config } = unwrap(parseConfig(text, join(folder, "pegbot.yaml"), {}));
  const signer = await openSigner(recordedShell(), config);
  signer.close();
  return { config, fingerprint: signer.fingerprint };
}

async function held(fingerprint: string, folder: string): Promise<() => void> {
  const release = unwrap(await holdKey(fingerprint, folder));
  onTestFinished(release);
  return release;
}

describe.runIf(isLinux)("a key that a live bot of this machine holds", () => {
  test("is refused to a bot and to commands with another state folder, which is named", async () => {
    const key = newKey();
    await held(key, "/state/one");
    const why = /uses this key with the state folder \/state\/one, this process would use \/state\/two: two ledgers/;
    expect(await holdKey(key, "/state/two")).toMatchObject({ ok: false, error: expect.stringMatching(why) });
    expect(await heldElsewhere(key, "/state/two")).toMatch(why);
  });

  test("is free to commands with the same folder, to other keys, and once the bot has gone", async () => {
    const key = newKey();
    expect(await heldElsewhere(key, "/state/two")).toBeUndefined();
    const release = await held(key, "/state/one");
    expect(await heldElsewhere(key, "/state/one")).toBeUndefined();
    await held(newKey(), "/state/two");
    release();
    await held(key, "/state/two");
  });

  test("ends a live start and a live command before anything is asked of the venue", async () => {
    const { config, fingerprint } = await live();
    await held(fingerprint, "/state/of/another");
    const refused = {
      code: 2,
      message: expect.stringMatching(/state folder \/state\/of\/another, .*; nothing was sent$/),
      next: expect.stringContaining("XDG_STATE_HOME"),
    };
    const closing = createClosing();
    onTestFinished(async () => void (await closing.all()));
    const order = { config, instance: "beacon00", tuning: {} };
    await expect(openVenue(recordedShell(), order, closing)).rejects.toMatchObject(refused);
    await expect(openExchange(recordedShell(), config)).rejects.toMatchObject(refused);
  });

  test("is one that a live start holds itself, until it is closed", async () => {
    const { config, fingerprint } = await live();
    const closing = createClosing();
    await openVenue(recordedShell(), { config, instance: "beacon00", tuning: {} }, closing);
    expect(await heldElsewhere(fingerprint, "/state/two")).toContain("uses this key");
    await closing.all();
    expect(await heldElsewhere(fingerprint, "/state/two")).toBeUndefined();
  });
});
