// A -shm file that is cut while a process has its database open. SQLite maps it, so that touching it is SIGBUS: in a process of its own.

import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { start } from "../support/program.ts";

const FLAGS = ["--disable-warning=ExperimentalWarning", resolve("test/process/processes/cut-files.ts")];

test.each([100])("a journal whose -shm is cut to %i bytes refuses in words, and loses nothing", async (size) => {
  const folder = temporaryFolder();
  const path = join(folder, "data", "pegbot.db");
  const program = start(process.execPath, [...FLAGS, folder, String(size)]);
  expect(await program.ended(), program.stderr()).toEqual({ code: 0, signal: null });
  const cut = "its -shm file was cut while in use";
  expect(program.lines()).toEqual([`journal-moved: journal ${path}: ${cut}: end the bot, and start again`]);
  const journal = journalAt(path);
  const head = journal.head();
  journal.close();
  expect(head.ok && head.value.sequence).toBe(2);
});
