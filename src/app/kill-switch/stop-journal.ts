// The journal of a bot as `halt`, `resume` and `status` need it: only the trading state, folded from the records that
// change it. Without engine, key or venue, so that a stop can be seen and lifted even if nothing else works.

import { randomUUID } from "node:crypto";
import { type CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { BRIEFLY } from "../../journal/file/inspect.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { Entry, Opening } from "../../journal/record.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { FRESH, type TradingState, transition } from "../../risk/trading-state.ts";
import { isJournalThere } from "../config/journal-there.ts";
import { problemLine, readable, readingFile } from "../journal/open-reader.ts";
import { newInstance } from "../key/join-budget.ts";
import type { Shell } from "../shell.ts";
import { versionText } from "../version.ts";

class StandingFold {
  standing: TradingState;

  constructor(standing: TradingState = FRESH) {
    this.standing = standing;
  }

  take({ record }: Pick<Entry, "record">): void {
    if (record.kind === "control") this.standing = transition(this.standing, record.control, record.at);
    if (record.kind !== "step") return;
    const { event, commands, at } = record.step;
    if (event.kind === "control") this.standing = transition(this.standing, event.control, at);
    for (const command of commands)
      if (command.kind === "state") this.standing = transition(this.standing, command, at);
  }
}

/** The trading state from a read-only journal. */
export function standingIn(reader: JournalReader): TradingState {
  const fold = new StandingFold();
  for (const read of reader.telling(0)) fold.take(readable(read).entry);
  return fold.standing;
}

/** The opening of the journal at the path; fails if there is none, because then it is the wrong folder. */
export function requireOpening(path: string): { readonly opening: Opening } {
  if (!isJournalThere(path)) throw noJournal(path);
  return readingFile(path, () => {
    const opened = JournalReader.open(path);
    if (!opened.ok) throw plainFailure(problemLine(path, opened.error), WAY_OUT[opened.error.kind]);
    const { opening } = opened.value;
    opened.value.close();
    return { opening };
  });
}

/**
 * With its anchor still there, the journal existed, and a bot that runs on it does not end because the file's name is
 * gone.
 */
function noJournal(path: string): CommandFailure {
  const anchor = anchorOf(path);
  if (isJournalThere(anchor))
    return usageFailure(
      `the journal ${path} is gone, and ${anchor} is there: it was moved or deleted, and a bot may still run with it`,
      "end that bot (not by SIGKILL) and bring the journal back",
    );
  return usageFailure(
    `there is no journal at ${path}, so no bot of this configuration`,
    "name the bot's own configuration with --config, or run this in the folder it was started in",
  );
}

/** Opens the journal for writing, whichever key it belongs to. It verifies what a start verifies. */
export function openAsItIs(
  { clock }: Pick<Shell, "clock">,
  path: string,
  { environment, account }: Opening,
): SqliteJournal {
  const opened = openJournal({
    path,
    environment,
    account,
    writer: newInstance(),
    codeVersion: versionText(),
    absent: "refuse",
    newChainId: randomUUID,
    clock,
    settings: BRIEFLY,
  });
  if (!opened.ok) throw plainFailure(opened.error.message);
  return opened.value;
}
