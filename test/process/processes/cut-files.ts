// Opens a journal and a ledger, cuts the -shm of both, prints what they say to the next use, and closes them.

import { truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { errorMessage } from "../../../src/domain/error-message.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { systemHostClock } from "../../../src/exchange/budget/host-clock.ts";
import { openBudget } from "../../../src/exchange/budget/open.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";

/** By one system call: it is out whatever comes next. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

const [folder = "", size] = process.argv.slice(2);
const machine = { clock: systemClock, timers: systemTimers, host: systemHostClock() };
const opened = openJournal({
  path: join(folder, "data", "pegbot.db"),
  environment: "test",
  account: "0123456789abcdef",
  writer: "writer01",
  codeVersion: "0",
  absent: "create",
  newChainId: () => "chain-of-this-test",
  machine,
  settings: { reserveBytes: 0 },
});
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
const place = { stateFolder: join(folder, "state"), fingerprint: "0123456789abcdef" };
const identity = { instance: "instance1", pid: process.pid, folder, role: "tool" } as const;
const budget = unwrap(await openBudget({ place, machine, identity }));
const { ledger } = budget;

const started = { kind: "started", at: systemClock.now(), codeVersion: "0", configDigest: "d" } as const;
if (!(await journal.append([started])).ok) throw new Error("a whole journal takes a record");
for (const path of [join(folder, "data", "pegbot.db"), ledger.path]) truncateSync(`${path}-shm`, Number(size));
const receipt = await journal.append([started]);
say(receipt.ok ? "written" : `${receipt.error.code}: ${receipt.error.message}`);
say(`ledger in place: ${ledger.isInPlace()}`);
for (const use of [() => ledger.read(), () => ledger.aheadMs()])
  try {
    use();
    say("used");
  } catch (error) {
    say(errorMessage(error));
  }
budget.close();
journal.close();

// At its natural end the runtime would close what was left open, by touching the -shm; a bot ends as here.
process.exit(0);
