// Opens a journal, cuts its -shm, prints what they say to the next use, and closes them.

import { truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";

/** By one system call: it is out whatever comes next. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

const [folder = "", size] = process.argv.slice(2);
const opened = openJournal({
  path: join(folder, "data", "pegbot.db"),
  environment: "test",
  account: "0123456789abcdef",
  writer: "writer01",
  codeVersion: "0",
  absent: "create",
  newChainId: () => "chain-of-this-test",
  clock: systemClock,
});
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
const started = { kind: "started", at: systemClock.now(), codeVersion: "0", configDigest: "d" } as const;
if (!(await journal.append([started])).ok) throw new Error("a whole journal takes a record");
truncateSync(`${join(folder, "data", "pegbot.db")}-shm`, Number(size));
const receipt = await journal.append([started]);
say(receipt.ok ? "written" : `${receipt.error.code}: ${receipt.error.message}`);
journal.close();

// At its natural end the runtime would close what was left open, by touching the -shm; a bot ends as here.
process.exit(0);
