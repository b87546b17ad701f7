import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ownerConfig } from "../../../src/app/config/bot-config.ts";
import { openHeadless } from "../../../src/app/owner/headless.ts";
import { requireLiveConditions, type requireLiveHost, waitForAnswer } from "../../../src/app/owner/live-conditions.ts";
import type { OpenedVenue } from "../../../src/app/owner/open-owner.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { parseConfig } from "../../../src/config/load.ts";
import type { Config } from "../../../src/config/schema.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { Reading } from "../../../src/exchange/port.ts";
import { completeConfig } from "../../config/complete.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-live-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function config(): Config {
  return unwrap(parseConfig(JSON.stringify(completeConfig()), join(folder, "pegbot.yaml"), {})).config;
}

/** A venue that answers its list of pairs, with a Date or without, and a ledger that heard the right time once. */
function venue(skewMs: number | undefined, host = "venue.example", answers = true): OpenedVenue {
  const failure = { code: "timeout", status: undefined, venueCode: undefined, message: "no answer" };
  const receivedAt = systemClock.now();
  const at = skewMs === undefined ? undefined : receivedAt - skewMs;
  const read = { kind: "read", value: [], at, receivedAt, nonce: undefined };
  const pairs = async () => (answers ? read : { kind: "failed", failure }) as unknown as Reading<[]>;
  const opened = {
    base: new URL(`https://${host}/api/v1/`),
    exchange: { pairs },
    budget: { file: { status: () => ({ skewMs: 500 }) } },
  };
  return opened as unknown as OpenedVenue;
}

const conditions = (
  opened: OpenedVenue,
  required: typeof requireLiveConditions | typeof requireLiveHost = requireLiveConditions,
) => {
  const settings = config();
  rmSync(join(folder, "data"), { recursive: true, force: true });
  return required(recordedShell(), { ...settings, journal: { path: join(folder, "live.db") } }, opened);
};

describe("live mode", () => {
  it("binds its journal to the first host, and refuses any other", async () => {
    await conditions(venue(500));
    expect(readFileSync(join(folder, "live.db.host"), "utf8")).toBe("test venue.example\n");
    await conditions(venue(500));
    await expect(conditions(venue(500, "other.example"))).rejects.toMatchObject({
      code: 2,
      message: `journal ${join(folder, "live.db")} belongs to "test venue.example", the configuration says "test other.example"`,
      next: expect.stringContaining("correct venue.baseUrl or journal.path"),
    });
  });

  it.each([
    ["that never answered", venue(500, "misspelt.example", false), 3],
    ["whose clock is not ours", venue(40_000, "misspelt.example"), 3],
  ])("binds its journal to no host %s: corrected, it starts", async (_which, misspelt, code) => {
    await expect(conditions(misspelt)).rejects.toMatchObject({ code });
    await conditions(venue(500));
    expect(readFileSync(join(folder, "live.db.host"), "utf8")).toBe("test venue.example\n");
  });

  it("refuses another host to commands as well, before anything is asked or sent", async () => {
    vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const file = join(folder, "key.pem");
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const configFile = join(folder, "pegbot.yaml");
    writeFileSync(configFile, JSON.stringify({ ...completeConfig(), key: { file }, journal: { path: "./live.db" } }));
    writeFileSync(join(folder, "live.db.host"), "test other.example\n", { mode: 0o600 });
    const shell = recordedShell({ configFile });
    const headless = openHeadless(shell, { config: ownerConfig(shell) }, new AbortController().signal);
    await expect(headless).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining('belongs to "test other.example", the configuration says "test venue.example"'),
    });
  });

  it.each([
    [-33_000, "33.0 s behind the venue's, limit is 30 s"],
    [34_000, "33.0 s ahead of the venue's, limit is 30 s"],
    [undefined, "no readable Date"],
  ])("refuses a clock that is off by %s ms", async (skewMs, message) => {
    await expect(conditions(venue(skewMs))).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining(message),
    });
  });

  it("waits for a venue that does not answer, where the journal has its host, and judges the clock by its first answer", async () => {
    await conditions(venue(500));
    const silent = venue(500, "venue.example", false);
    await expect(conditions(silent)).resolves.toBe("unanswered");
    const timers = {
      after(_ms: number, go: () => void) {
        queueMicrotask(go);
        return () => undefined;
      },
    };
    const answering = (skewMs: number): OpenedVenue => {
      const answers = [silent, silent, venue(skewMs)].map(({ exchange }) => exchange.pairs);
      const pairs: OpenedVenue["exchange"]["pairs"] = (want) => (answers.shift() ?? silent.exchange.pairs)(want);
      return { ...silent, exchange: { ...silent.exchange, pairs } };
    };
    const stop = new AbortController();
    await expect(waitForAnswer(answering(500), timers, stop.signal)).resolves.toBeUndefined();
    await expect(waitForAnswer(answering(40_000), timers, stop.signal)).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining("live mode needs a right clock"),
    });
    const pairs = () => new Promise<never>(() => stop.abort());
    const never = { ...silent, exchange: { ...silent.exchange, pairs } };
    await expect(waitForAnswer(never, timers, stop.signal)).resolves.toBeUndefined();
  });
});
