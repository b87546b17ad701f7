import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { joinBudget, newInstance } from "../../../src/app/key/join-budget.ts";
import { openBooks } from "../../../src/app/owner/open-books.ts";
import type { OpenedVenue } from "../../../src/app/owner/open-owner.ts";
import { createClosing } from "../../../src/app/system/closing.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { parseConfig } from "../../../src/config/load.ts";
import type { Config } from "../../../src/config/schema.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

/** A key with its ledger, and how its books are opened by one process after another. */
async function staged(venue: object = {}) {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  const { config } = unwrap(parseConfig("mode: paper\n", join(folder, "pegbot.yaml"), {}));
  const signer = { fingerprint: "the-key-of-this-test" } as OpenedVenue["signer"];
  const budget = await joinBudget(recordedShell(), signer, config.journal.path);
  onTestFinished(() => budget.close());
  return {
    path: config.journal.path,
    async open(which: "own", mode: Config["mode"] = "paper") {
      const closing = createClosing();
      onTestFinished(() => void closing.all());
      const real = { ...config, mode, venue: { ...config.venue, ...venue } };
      const order = { config: real, instance: newInstance(), codeVersion: "0", which };
      const { journal } = await openBooks(recordedShell(), order, { budget, signer }, closing);
      journal.announce([{ kind: "started", at: systemClock.now(), codeVersion: "0", configDigest: "d" }]);
      await closing.all();
    },
  };
}

test.each([
  ["shadow", "live"],
  ["live", "shadow"],
  ["shadow", "paper"],
] as const)("a journal of %s is refused by name in mode %s", async (was, now) => {
  const { open, path } = await staged({ baseUrl: "https://venue.example/api/v1/" });
  await open("own", was);
  const opened = open("own", now);
  await expect(opened).rejects.toThrow(path);
  await expect(opened).rejects.toThrow(was === "live" ? "test" : was);
  await expect(opened).rejects.toMatchObject({ code: 2 });
});
