import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
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
import { visit } from "./doctor-stage.ts";

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
  // Without feeds: nobody is asked for prices.
  const text = JSON.stringify({ ...completeConfig(), market: {}, key: { file } });
  const { config } = unwrap(parseConfig(text, join(folder, "pegbot.yaml"), {}));
  const signer = await openSigner(recordedShell(), config);
  signer.close();
  writeFileSync(join(folder, "pegbot.yaml"), text);
  return { config, fingerprint: signer.fingerprint, configFile: join(folder, "pegbot.yaml") };
}

async function held(fingerprint: string, folder: string): Promise<() => void> {
  const release = unwrap(await holdKey(fingerprint, folder));
  onTestFinished(release);
  return release;
}

describe.runIf(isLinux)("a key that a live bot of this machine holds", () => {
  test("is refused to a bot and to commands with another state folder, which is named", async () => {
    const key = newKey();
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    await held(key, one);
    const why = `uses this key with the state folder ${one}, this process would use ${two}: two ledgers`;
    expect(await holdKey(key, two)).toMatchObject({ ok: false, error: expect.stringContaining(why) });
    expect(await heldElsewhere(key, two)).toContain(why);
    // One that is not there yet.
    expect(await heldElsewhere(key, join(two, "new"))).toContain(`the state folder ${one}`);
  });

  test("is free to commands with the same folder, to other keys, and once the bot has gone", async () => {
    const key = newKey();
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    expect(await heldElsewhere(key, two)).toBeUndefined();
    const release = await held(key, one);
    expect(await heldElsewhere(key, one)).toBeUndefined();
    await held(newKey(), two);
    release();
    await held(key, two);
  });

  test("is free by every path of the same folder, and refused to another folder of the same path, as in a container", async () => {
    const key = newKey();
    const folder = temporaryFolder();
    const [state, link] = [join(folder, "state"), join(folder, "link")];
    mkdirSync(state);
    symlinkSync(state, link);
    await held(key, link);
    expect(await heldElsewhere(key, state)).toBeUndefined();
    const contained = newKey();
    const server = createServer((socket) => socket.end(`1:1 ${state}`));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen({ path: `\0pegbot-key-${contained}` }, resolve));
    expect(await heldElsewhere(contained, state)).toContain("another folder of that name");
  });

  test("is not taken for held where no such name can be had, or where whoever has it ends without a word", async () => {
    const tooLong = "k".repeat(200);
    expect((await holdKey(tooLong, temporaryFolder())).ok).toBe(true);
    const leaving = newKey();
    const server = createServer((socket) => socket.end());
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen({ path: `\0pegbot-key-${leaving}` }, resolve));
    expect(await heldElsewhere(leaving, temporaryFolder())).toBeUndefined();
  });

  test("ends a live start and a live command before anything is asked of the venue", async () => {
    const { config, fingerprint } = await live();
    const another = temporaryFolder();
    await held(fingerprint, another);
    const refused = {
      code: 2,
      message: expect.stringMatching(new RegExp(`state folder ${another}, .*; nothing was sent$`)),
      next: expect.stringContaining("XDG_STATE_HOME"),
    };
    const closing = createClosing();
    onTestFinished(async () => void (await closing.all()));
    const order = { config, instance: "beacon00", tuning: {} };
    await expect(openVenue(recordedShell(), order, closing)).rejects.toMatchObject(refused);
    await expect(openExchange(recordedShell(), config)).rejects.toMatchObject(refused);
  });

  test("is a finding of doctor, which then asks nothing of the venue either", async () => {
    const { fingerprint, configFile } = await live();
    await held(fingerprint, temporaryFolder());
    const { code, findings, finding } = await visit(configFile);
    expect([code, finding("ledger").verdict]).toEqual([1, "problem"]);
    expect(finding("ledger").cause).toContain("two ledgers of one key");
    expect(finding("ledger").next).toContain("XDG_STATE_HOME");
    expect(findings.map(({ check }) => check)).not.toContain("connection");
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
