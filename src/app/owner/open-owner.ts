// Opens the owner of a key: key and budget, client, journal and kill file, in that order. `run` and `start` add strategy,
// treasury and page to it; a command that finds no owner is one for as long as it lasts.

import { dirname } from "node:path";
import { ReplaySubject } from "rxjs";
import { OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import { exitCode } from "../../domain/exit-code.ts";
import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyFile } from "../../exchange/budget/key-file.ts";
import type { Journal } from "../../journal/journal.ts";
import { MEND, RESUME, STOPS_MAX, type TradingState, transition } from "../../risk/trading-state.ts";
import { strayError } from "../../strategy/guest.ts";
import { botTime } from "../journal/bot-time.ts";
import { newInstance } from "../key/join-budget.ts";
import { amendOwner } from "../key/owner-file.ts";
import { BOT, type KillFile } from "../kill-switch/kill-file.ts";
import { type KillSwitch, startKillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { leave } from "../system/leave.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import type { Answers } from "./answer.ts";
import { type Books, type BooksOrder, type OpenedVenue, type OpenVenue, openBooks, openVenue } from "./compose.ts";
import { openDoor } from "./door.ts";

export type OpenedOwner = {
  readonly shell: Shell;
  readonly config: Config;
  /** The name of this process in ledger and journal. */
  readonly instance: string;
  readonly codeVersion: string;
  /** Never ahead of the venue's clock. */
  readonly clock: Clock;
  readonly venue: OpenedVenue;
  readonly books: Books;
  readonly controls: ControlLine;
  readonly line: OperationLine;
};

/** Controls of the bot's own checks on their way to a pipeline that may not exist yet: a live start waits for the venue. */
class ControlLine {
  /** Room for every stop that can stand at once, from people and from the bot. */
  readonly control$ = new ReplaySubject<Control>(2 * STOPS_MAX);

  readonly tell = (control: Control): void => this.control$.next(control);
}

export async function openOwner(
  shell: Shell,
  { config, which, ...order }: OpenVenue & Pick<BooksOrder, "which">,
  closing: Closing,
): Promise<OpenedOwner> {
  const instance = newInstance();
  const codeVersion = versionText();
  const venue = await openVenue(shell, { config, ...order }, closing);
  const books = await openBooks(shell, { config, instance, codeVersion, which }, venue, closing);
  const clock = botTime(shell.clock, venue.budget.file);
  haltOnBug(books, clock, closing, (text) => {
    shell.terminal.note(text);
    leave(exitCode.halted);
  });
  const parts = { controls: new ControlLine(), line: new OperationLine() };
  return { shell, config, instance, codeVersion, clock, venue, books, ...parts };
}

/** `known`: the engine's trading state. */
export function openKillSwitch(
  { shell, books, controls, venue }: OpenedOwner,
  known: () => TradingState,
  trouble: (message: string) => void,
  closing: Closing,
): KillSwitch {
  const { tell } = controls;
  const now = (): ReturnType<Clock["now"]> => shell.clock.now();
  const killSwitch = startKillSwitch({ file: books.killFile, now, timers: systemTimers, known, tell, trouble });
  closing.add(() => killSwitch.close());
  closing.add(every(LEDGER_LOOK_MS, ledgerWatch(venue.budget.file, known, tell)));
  return killSwitch;
}

/** Without its socket an owner goes on, and commands cannot reach it: they name it as the holder of the key. */
export async function openOwnDoor(
  { books, venue }: OpenedOwner,
  answers: Answers,
  warn: (text: string) => void,
  closing: Closing,
): Promise<void> {
  const door = await openDoor(books.path, answers).catch((error: unknown) => errorMessage(error));
  if (typeof door === "string") return warn(`no command reaches this process: ${door}`);
  closing.add(door.close);
  amendOwner(venue.budget.file, { socket: door.socket });
}

const LEDGER_LOOK_MS = 1_000;

// A bug outside the pipeline, or an error in a strategy's own timer, ends the process. The halt is written to disk
// first, so that the next start recovers into HALTED instead of trading on. A failure here must not hide the bug
// itself.

type Kept = { readonly killFile: Pick<KillFile, "write">; readonly journal: Pick<Journal, "announce"> };

/**
 * Runs before the handler that ends the process. `leave` ends it if neither journal nor kill file could be written,
 * with exit code 5, which no supervisor restarts.
 */
export function haltOnBug(
  { killFile, journal }: Kept,
  bot: Pick<Clock, "now">,
  closing: Closing,
  leave: (reason: string) => void,
): void {
  const halt = (error: unknown): void => {
    const stray = strayError(error);
    const reason = stray ?? `stopped by a bug: ${errorMessage(error)}`;
    const cause = stray === undefined ? "bug" : "strategy";
    const wayOut = stray === undefined ? RESUME : MEND;
    const control: Control = { kind: "halt", cause, reason, wayOut };
    // The bug may have left a transaction open; then the halt goes to the kill file.
    const journaled = tried(() => problemOf(journal.announce([{ kind: "control", at: bot.now(), control }])));
    const kept = journaled && tried(() => problemOf(killFile.write(reason, BOT)));
    if (kept !== undefined) leave(`${reason}; this halt is in neither journal nor kill file (${journaled}; ${kept})`);
  };
  process.prependListener("uncaughtException", halt);
  closing.add(() => void process.off("uncaughtException", halt));
}

function tried(keep: () => string | undefined): string | undefined {
  try {
    return keep();
  } catch (error) {
    return errorMessage(error);
  }
}

function problemOf(kept: Result<unknown, string | { readonly message: string }>): string | undefined {
  if (kept.ok) return undefined;
  return typeof kept.error === "string" ? kept.error : kept.error.message;
}

/**
 * Without its key's ledger a bot can send nothing, and a process that creates a new ledger shares no slots with it:
 * only a person can repair this.
 */
export function ledgerWatch(
  ledger: Pick<KeyFile, "path" | "isInPlace">,
  known: () => TradingState,
  tell: (control: Control) => void,
): () => void {
  const reason = `the ledger of the key is gone: ${dirname(ledger.path)} was moved or deleted, or a file in it was cut, while in use, so that nothing can be asked or sent`;
  const wayOut = `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`;
  const halt: Control = { kind: "halt", cause: "journal", subject: "ledger", reason, wayOut };
  /**
   * The state at the time of the report: while it is unchanged, the engine has not processed the halt. A resume while
   * the ledger is still missing halts again.
   */
  let toldTo: TradingState | undefined;
  return () => {
    const standing = known();
    if (standing === toldTo) return;
    toldTo = undefined;
    if (ledger.isInPlace() || transition(standing, halt, standing.since) === standing) return;
    toldTo = standing;
    tell(halt);
  };
}
