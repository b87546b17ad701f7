import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { botConfig } from "../../../src/app/config/bot-config.ts";
import { startConfig } from "../../../src/app/config/start-config.ts";
import { CONFIG_FILE } from "../../../src/app/shell.ts";
import { doctor } from "../../../src/cli/command/doctor.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

test("start without a file runs with what an empty one would say", () => {
  expect(startConfig()).toEqual(unwrap(parseConfig("", CONFIG_FILE, {})).config);
});

test("a command beside a bot without a file takes that of start, and refuses one that is named and not there", async () => {
  const before = process.cwd();
  process.chdir(temporaryFolder());
  onTestFinished(() => process.chdir(before));
  const { path } = startConfig().journal;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  expect(botConfig(recordedShell()).journal.path).toBe(path);
  const seen = recordedShell();
  await doctor(seen, {});
  expect(seen.stdout()).toMatch(
    /^configuration +ok +paper mode on the embedded simulator .*, strategy peg-arbitrage$/m,
  );
  expect(() => botConfig(recordedShell({ configFile: CONFIG_FILE }))).toThrow(CONFIG_FILE);
});
