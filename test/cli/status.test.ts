// `status` of a journal without its bot: money is shown with a warning where the anchor knows more, and a bot is called
// none only where the key's ledger can tell.

import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bindJournal } from "../../src/app/journal/journal-binding.ts";
import { joinBudget } from "../../src/app/key/join-budget.ts";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { status } from "../../src/cli/command/status.ts";
import { millis } from "../../src/domain/time.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";

/** A bot's folder after it ended: journal of 4 records, and the ledger that knows the journal. */
async function stage() {
  const folder = temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const configFile = join(folder, "pegbot.yaml");
  const path = join(folder, "data", "pegbot.db");
  writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
  const journal = journalAt(path);
  const { environment, account, chainId } = journal.opening;
  const budget = await joinBudget(recordedShell({ configFile }), { fingerprint: account }, path);
  bindJournal({ file: budget.file, environment }, path, chainId);
  budget.close();
  const started = { kind: "started", at: systemClock.now(), codeVersion: "0.1.0", configDigest: "d" } as const;
  await journal.append([started]);
  journal.close();
  copyFileSync(path, `${path}.older`);
  const later = journalAt(path);
  await later.append([started, started]);
  later.close();
  const asked = async (json = false) => {
    const shell = recordedShell({ configFile, json });
    return { code: await status(shell), text: shell.stdout(), lines: shell.stdout().split("\n") };
  };
  return { folder, path, configFile, asked, started };
}

test("a journal whose time is ahead of the clock is told by status and doctor, with how long and the way out", async () => {
  const { path, asked } = await stage();
  expect((await asked()).text).not.toMatch(/^time /m);
  const at = millis(recordedShell().clock.now() + 86_400_000);
  const journal = journalAt(path);
  await journal.append([{ kind: "control", at, control: { kind: "heartbeat", by: "ops" } }]);
  journal.close();
  const told =
    /the journal's time is (1d 0:00:00|23:59:\d\d) ahead of the clock: .* nothing is ordered.*begin a new journal/;
  expect((await asked()).text).toMatch(new RegExp(`^time +${told.source}`, "m"));
});

test("a journal that is shorter than its anchor knows is called damaged in the first lines, with exit code 1", async () => {
  const { path, asked } = await stage();
  renameSync(`${path}.older`, path);
  const { code, lines } = await asked();
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^DAMAGED {2}broken: it ends at record 2, the anchor knows 4; /);
  expect(lines[1]).toMatch(/^way out {2}bring back the journal with the -wal and .anchor/);
  const json = await asked(true);
  expect([json.code, JSON.parse(json.text).damage.verdict]).toEqual([1, "broken"]);
});

test("a journal without its anchor, or with an unreadable one, is not shown as whole either", async () => {
  const { path, asked } = await stage();
  writeFileSync(`${path}.anchor`, "x".repeat(1_024));
  expect((await asked()).text).toMatch(/^DAMAGED {2}anchor-lost: /);
  rmSync(`${path}.anchor`);
  const { code, text } = await asked();
  expect([code, text]).toEqual([1, expect.stringMatching(/^DAMAGED {2}anchor-lost: .* is not there/)]);
});
