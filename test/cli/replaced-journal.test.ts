// What `adopt` says of the journal that another one is to take the place of, where that can hardly be read: that is often why.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { botConfig } from "../../src/app/config/bot-config.ts";
import { lookAtReplaced } from "../../src/cli/command/adopt.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { everyKind } from "../journal/samples.ts";
import { recordedShell } from "../support/recorded-shell.ts";

test.each([
  ["is cut off", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 4_096))],
  [
    "the disk does not give back",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
])("a journal that %s keeps no other from its place", async (_what, harm) => {
  const folder = temporaryFolder();
  const configFile = join(folder, "pegbot.yaml");
  writeFileSync(configFile, "journal: { path: ./new/pegbot.db }\n");
  const path = join(dirname(configFile), "old", "pegbot.db");
  const journal = journalAt(path);
  await journal.append(everyKind.filter(({ kind }) => kind !== "opening"));
  journal.close();
  harm(path);
  const shell = recordedShell({ configFile });
  const found = lookAtReplaced(botConfig(shell), { path, chainId: "c" });
  expect(found).toMatchObject({ path, isRead: false, standing: { state: "ACTIVE" } });
});
