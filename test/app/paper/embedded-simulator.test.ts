import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PaperPlace, paperPlace } from "../../../src/app/config/paper-place.ts";
import { openToken } from "../../../src/app/key/control-token.ts";
import { ensurePaperKey } from "../../../src/app/owner/open-owner.ts";
import { startEmbeddedSimulator } from "../../../src/app/paper/embedded-simulator.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { loadSigner } from "../../../src/exchange/key/load.ts";
import { readHead } from "../../../src/simulator/state-file.ts";

let folder: string;
let place: PaperPlace;
const machine = { clock: systemClock, timers: systemTimers };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-embedded-"));
  place = paperPlace(join(folder, "pegbot.db"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function publicKey(): Promise<string> {
  await ensurePaperKey(place);
  const signer = unwrap(await loadSigner({ kind: "file", path: place.key }, { curve: "p256", publicKey: undefined }));
  signer.close();
  return signer.publicKey;
}

describe("the embedded simulator", () => {
  it("serves on loopback from a thread, its portal to the bot's token alone, and goes on from its state after a restart", async () => {
    const key = await publicKey();
    const first = await startEmbeddedSimulator(place, key, machine);
    expect(first.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/$/);
    expect(first.account).toBe("new");
    expect(readFileSync(place.address, "utf8")).toBe(`${first.baseUrl}\n`);
    const answer = await fetch(`${first.baseUrl}client/tradingPairs`, { method: "GET" });
    expect(JSON.stringify(await answer.json())).toContain("VCHF/CHF");
    const seed = readHead(place.state);
    const portal = new URL("/portal/clock", first.baseUrl);
    const asked = (authorization?: string) => fetch(portal, { headers: authorization ? { authorization } : {} });
    expect((await asked()).status).toBe(401);
    expect((await asked(`Bearer ${unwrap(openToken(place.journal))}`)).status).toBe(200);
    await first.close();
    expect(existsSync(place.address)).toBe(false);

    const second = await startEmbeddedSimulator(place, key, machine);
    expect([second.account, readHead(place.state)]).toEqual(["known", seed]);
    await second.close();
  });

  it("says why it did not start, and nothing is left of it", async () => {
    const key = await publicKey();
    const first = await startEmbeddedSimulator(place, key, machine);
    await expect(startEmbeddedSimulator(place, key, machine)).rejects.toThrow(
      /^the embedded simulator did not start: .* is in use/,
    );
    await first.close();
    writeFileSync(place.state, "not a state\n");
    await expect(startEmbeddedSimulator(place, key, machine)).rejects.toThrow("must be a state file");
  });
});

describe("the paper account's files", () => {
  it("are made once: the key for its owner alone", async () => {
    expect(await ensurePaperKey(place)).toBe("new");
    expect(statSync(place.key).mode & 0o777).toBe(0o600);
    const text = readFileSync(place.key, "utf8");
    expect(await ensurePaperKey(place)).toBe("new");
    expect(readFileSync(place.key, "utf8")).toBe(text);
  });

  it("belong together: one that is missing is not made anew", async () => {
    await ensurePaperKey(place);
    writeFileSync(place.journal, "");
    await expect(ensurePaperKey(place)).rejects.toThrow(/pegbot\.db\.simulator is missing/);
    writeFileSync(place.state, "");
    expect(await ensurePaperKey(place)).toBe("known");
    rmSync(place.key);
    await expect(ensurePaperKey(place)).rejects.toThrow(/pegbot\.db\.key is missing/);
  });
});
