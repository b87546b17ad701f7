// A stop as a person finds it, and how it is taken back: the kill file goes inside the transaction that journals the resume, so
// that a stop which comes meanwhile is found afterwards, and a failure or a kill of the process at any point leaves the bot
// halted. The command and the running bot's API do the same here.

import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import {
  isStanding,
  joined,
  type Stop,
  stopsOf,
  type TradingState,
  transition,
  withoutFigures,
} from "../../risk/trading-state.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { controlsFrom, type KillFile, openKillFile } from "./kill-file.ts";
import {
  foldedSoFar,
  type KnownStanding,
  lookedThrough,
  openAsItIs,
  requireOpening,
  type StandingFold,
} from "./stop-journal.ts";

export interface FoundStop {
  readonly standing: TradingState;
  /** Of it what the journal has, and until where: for who asks again. */
  readonly journaled: KnownStanding;
  /** This stop and no other; a failure says why not. What the bot came to by itself may stand beneath a person's. */
  takeBack(reason: string, by: string): Promise<TradingState>;
  /** With what others wrote since. */
  now(): TradingState;
  close(): void;
}

/** `shell`: with the bot's time. */
export async function findStop(shell: Shell, path: string, known?: KnownStanding): Promise<FoundStop> {
  const { opening } = requireOpening(path);
  const file = openKillFile(path);
  const journal = openAsItIs(shell, path, opening);
  try {
    const { fold, head } = orFailed(await foldedSoFar(journal, { known }));
    const journaled = { standing: fold.standing, head };
    const books = { journal, file, fold };
    const standing = standingOf(books);
    return {
      standing,
      journaled,
      takeBack: (reason, by) => takeBack(shell, books, standing, { reason, by }),
      now: () => {
        for (const entry of orFailed(journal.news())) fold.take(entry);
        return standingOf(books);
      },
      close: () => journal.close(),
    };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/**
 * As the API has it: how the bot stands afterwards, or what is in the way. `journal` is the bot's own: it is looked through
 * at once, so that a person who resumes later does not wait for what was there before.
 */
export function resumption(
  shell: Shell,
  path: string,
  journal?: Pick<SqliteJournal, "head" | "search">,
): (reason: string, by: string, seen: readonly string[]) => Promise<Result<TradingState>> {
  let known: KnownStanding | undefined;
  if (journal !== undefined)
    lookedThrough(journal).then(
      (looked) => {
        if (looked.ok) known ??= { standing: looked.value.fold.standing, head: looked.value.head };
      },
      // A bot that ends closes it meanwhile; anything else is met, and told, by whoever resumes.
      () => undefined,
    );
  return async (reason, by, seen) => {
    try {
      const stop = await findStop(shell, path, known);
      known = stop.journaled;
      try {
        if (stop.standing.state === "ACTIVE") return err("ACTIVE already: there is nothing to take back");
        // A request decides about what its sender saw; at a terminal all of it was printed just before.
        const unseen = unseenOf(stopsOf(stop.standing), seen);
        if (unseen !== undefined)
          return err(`not resumed: ${unseen.state} for a reason that was not seen: ${unseen.reason}; look again`);
        return ok(await stop.takeBack(reason, by));
      } finally {
        stop.close();
      }
    } catch (error) {
      if (error instanceof CommandFailure) return err(error.message);
      throw error;
    }
  };
}

/** Each reason is of one stop: the one that it is to the letter, or else one that differs from it in figures alone. */
function unseenOf(stops: readonly Stop[], seen: readonly string[]): Stop | undefined {
  const reasons = [...seen];
  const isNamed = (found: (reason: string) => boolean): boolean => {
    const place = reasons.findIndex(found);
    if (place !== -1) reasons.splice(place, 1);
    return place !== -1;
  };
  const others = stops.filter((stop) => !isNamed((reason) => reason === stop.reason));
  return others.find((stop) => !isNamed((reason) => withoutFigures(reason) === withoutFigures(stop.reason)));
}

type Books = { readonly journal: Journal; readonly file: KillFile; readonly fold: StandingFold };

async function takeBack(
  { clock }: Shell,
  books: Books,
  before: TradingState,
  { reason, by }: { readonly reason: string; readonly by: string },
): Promise<TradingState> {
  const { journal, file, fold } = books;
  await journalStops(clock, books, before);
  const resumed = orFailed(
    await journal.transact<Result<TradingState>>((news) => {
      for (const entry of news) fold.take(entry);
      const changed = changeSince(before, standingOf(books));
      const removed = changed === undefined ? file.remove() : err(changed);
      if (!removed.ok) return { records: [], value: removed };
      const control: Control = { kind: "resume", reason, by };
      const at = clock.now();
      fold.standing = transition(fold.standing, control, at);
      return { records: [{ kind: "control", at, control }], value: ok(fold.standing) };
    }),
  );
  if (!resumed.ok) throw new CommandFailure(exitCode.failed, `not resumed: ${resumed.error}`);
  return resumed.value;
}

/** The journal has the stop before the kill file goes: if this process dies in between, the stop stands. */
async function journalStops(clock: Pick<Clock, "now">, books: Books, before: TradingState): Promise<void> {
  const { journal, fold } = books;
  const written = await journal.transact((news) => {
    for (const entry of news) fold.take(entry);
    const now = standingOf(books);
    const controls = changeSince(before, now) === undefined ? controlsFrom(now, fold.standing) : [];
    const at = clock.now();
    for (const control of controls) fold.standing = transition(fold.standing, control, at);
    return { records: controls.map((control) => ({ kind: "control", at, control })), value: undefined };
  });
  orFailed(written);
}

/** A stop that came after the person looked is none that is taken back. */
function changeSince(before: TradingState, now: TradingState): string | undefined {
  const { state, reason } = now;
  if (state !== before.state || reason !== before.reason)
    return `meanwhile the state became ${state}${reason === "" ? "" : `: ${reason}`}; look again`;
  const added = stopsOf(now).find((stop) => !isStanding(stop, before));
  return added && `meanwhile there is another reason, ${added.state}: ${added.reason}; look again`;
}

function standingOf({ file, fold }: Pick<Books, "file" | "fold">): TradingState {
  return joined(file.standing(), fold.standing);
}

function orFailed<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new CommandFailure(exitCode.failed, result.error.message);
  return result.value;
}
