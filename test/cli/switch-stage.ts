// What the commands of the switch are tried on: a bot that ran, and perhaps stopped itself.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openKillFile } from "../../src/app/kill-switch/kill-file.ts";
import type { Control } from "../../src/domain/event.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { JournalRecord } from "../../src/journal/record.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";

export const at = millis(1_794_731_400_000);
export const halted: JournalRecord = {
  kind: "step",
  at,
  step: {
    sequence: 1,
    at,
    event: { kind: "timer", receivedAt: at },
    decisions: [],
    commands: [{ kind: "state", state: "HALTED", cause: "loss", reason: "RC05: lost 12 CHF", wayOut: "pegbot resume" }],
    mark: undefined,
  },
};

/** A bot's folder: configuration, journal with these records. */
export async function stage(records: readonly JournalRecord[] = []) {
  const configFile = join(temporaryFolder(), "pegbot.yaml");
  const path = join(dirname(configFile), "data", "pegbot.db");
  writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
  const journal = journalAt(path);
  await journal.append([{ kind: "started", at, codeVersion: "0.1.0", configDigest: "d" }, ...records]);
  journal.close();
  const killFile = openKillFile(path);
  const controls = (): readonly Control[] => {
    const read = journalAt(path);
    const entries = unwrap(read.read(0, 100)).map(({ record }) => record);
    read.close();
    return entries.flatMap((record) => {
      if (record.kind === "control") return [record.control];
      const event = record.kind === "step" ? record.step.event : undefined;
      return event?.kind === "control" ? [event.control] : [];
    });
  };
  return { folder: dirname(configFile), configFile, path, killFile, controls };
}
