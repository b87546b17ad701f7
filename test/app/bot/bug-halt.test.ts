// A bug that nobody caught: the stop is on disk before the process ends, whatever else fails on the way.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openKillFile } from "../../../src/app/kill-switch/kill-file.ts";
import { haltOnBug } from "../../../src/app/owner/open-owner.ts";
import { explain } from "../../../src/app/shell.ts";
import { type Closing, createClosing } from "../../../src/app/system/closing.ts";
import { err, ok, unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { JournalRecord } from "../../../src/journal/record.ts";
import { RESUME } from "../../../src/risk/trading-state.ts";
import { loadStrategyFile } from "../../../src/strategy/load-file.ts";

const CLOCK = { now: () => millis(7) };
const HALT = { kind: "halt", cause: "bug", reason: "stopped by a bug: boom", wayOut: RESUME };

let folder: string;
let closing: Closing;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pegbot-bug-"));
  closing = createClosing();
});
afterEach(async () => {
  await closing.all();
  rmSync(folder, { recursive: true });
});

/** As the process would call it, without ending anything. */
function bug(error: unknown): void {
  const [first] = process.listeners("uncaughtException");
  (first as (error: unknown) => void)(error);
}

function stage(parts: Partial<Parameters<typeof haltOnBug>[0]> = {}) {
  const records: JournalRecord[] = [];
  const left: string[] = [];
  const killFile = openKillFile(join(folder, "pegbot.db"));
  const announce: Journal["announce"] = (written) => {
    records.push(...written);
    return ok({ sequence: 1, hash: "h" });
  };
  haltOnBug({ killFile, journal: { announce }, ...parts }, CLOCK, closing, (text) => left.push(text));
  return { records, left, killFile };
}

test("is a halt with its cause, journaled for the next start before anybody else hears of it", async () => {
  const later = vi.fn();
  process.once("uncaughtException", later);
  const { records, killFile, left } = stage();
  bug(new TypeError("boom"));
  expect(later).not.toHaveBeenCalled();
  process.off("uncaughtException", later);
  expect(records).toEqual([{ kind: "control", at: 7, control: HALT }]);
  expect([killFile.check(), left]).toEqual([undefined, []]);
});

test.for<[string, Journal["announce"]]>([
  ["cannot be written", () => err({ code: "journal-full", message: "no room" })],
  [
    "fails by itself",
    () => {
      throw new Error("broken too");
    },
  ],
])("goes to the kill file where the journal %s", ([, announce]) => {
  const { killFile, left } = stage({ journal: { announce } });
  expect(() => bug(new Error("boom"))).not.toThrow();
  expect(killFile.standing()).toMatchObject({ state: "HALTED", reason: "stopped by a bug: boom", by: "bot" });
  expect(left).toEqual([]);
});

test("that is an error of the strategy's own is the strategy's, with its name, file and line", async () => {
  const file = "from-a-timer.ts";
  const path = join(folder, file);
  const definition = '{\n  name: "later",\n  decide: () => new Error("from a timer"),\n}';
  writeFileSync(path, `export default ${definition};\n`);
  const strategy = unwrap(await loadStrategyFile(path, {}));
  // As a timer of its own would throw it.
  const error: unknown = strategy.definition.decide({} as never);
  const reason = `strategy later threw in a timer or a promise of its own, where nothing can catch it: Error: from a timer (${file}:3)`;
  const { records } = stage();
  bug(error);
  const wayOut = `mend the strategy, start the bot again, then ${RESUME}`;
  expect(records).toMatchObject([{ control: { kind: "halt", cause: "strategy", reason, wayOut } }]);
  const next = "a strategy answers at once, so leave timers and promises out of it (docs/guides/strategy.md)";
  expect(explain(error)).toEqual({ lines: [`pegbot: ${reason}; ${next}`], code: 1 });
});
