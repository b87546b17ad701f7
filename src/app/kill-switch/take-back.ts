// A stop as a person sees it, and its resume: the kill file is removed inside the transaction that journals the resume,
// so that a stop which comes meanwhile is still found, and a failure or a kill of the process at any point leaves the
// bot halted. The command and the running bot's API share this code.

import { orRefused, plainFailure } from "../../domain/command-failure.ts";
import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Journal } from "../../journal/journal.ts";
import {
  isStanding,
  joined,
  type Stop,
  stopsOf,
  type TradingState,
  transition,
  withoutFigures,
} from "../../risk/trading-state.ts";
import type { Shell } from "../shell.ts";
import { controlsFrom, type KillFile, openKillFile } from "./kill-file.ts";
import { foldedSoFar, openAsItIs, requireOpening, type StandingFold } from "./stop-journal.ts";

export interface FoundStop {
  readonly standing: TradingState;
  /** Resumes from exactly this stop; a failure says why not. The bot's own stops may stand beneath a person's. */
  takeBack(reason: string, by: string): Promise<TradingState>;
  /** The state, including records of other processes since. */
  now(): TradingState;
  close(): void;
}

type Timed = Pick<Shell, "clock">;

/** `timed` is the bot's time. */
export async function findStop(timed: Timed, path: string): Promise<FoundStop> {
  const { opening } = requireOpening(path);
  const file = openKillFile(path);
  const journal = openAsItIs(timed, path, opening);
  try {
    const fold = orFailed(await foldedSoFar(journal));
    const books = { journal, file, fold };
    const standing = standingOf(books);
    return {
      standing,
      takeBack: (reason, by) => takeBack(timed, books, standing, { kind: "resume", reason, by }),
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

/** For the API: the state afterwards, or the reason for the refusal. */
export function resumption(
  timed: Timed,
  path: string,
): (reason: string, by: string, seen: readonly string[]) => Promise<Result<TradingState>> {
  return (reason, by, seen) =>
    orRefused(async () => {
      const stop = await findStop(timed, path);
      try {
        if (stop.standing.state === "ACTIVE") return err("ACTIVE already: there is nothing to take back");
        // A request covers only the stops that its sender saw; at a terminal all of them were printed just before.
        const unseen = unseenOf(stopsOf(stop.standing), seen);
        if (unseen !== undefined)
          return err(`not resumed: ${unseen.state} for a reason that was not seen: ${unseen.reason}; look again`);
        return ok(await stop.takeBack(reason, by));
      } finally {
        stop.close();
      }
    });
}

/** Each seen reason matches one stop: the one with the identical text, or else one that differs only in figures. */
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

async function takeBack({ clock }: Timed, books: Books, before: TradingState, resume: Control): Promise<TradingState> {
  const { journal, file, fold } = books;
  const write = async (decide: () => Result<readonly Control[]>): Promise<void> => {
    const written = await journal.transact<Result<unknown>>((news) => {
      for (const entry of news) fold.take(entry);
      const changed = changeSince(before, standingOf(books));
      const decided = changed === undefined ? decide() : err(changed);
      if (!decided.ok) return { records: [], value: decided };
      const at = clock.now();
      for (const control of decided.value) fold.standing = transition(fold.standing, control, at);
      return { records: decided.value.map((control) => ({ kind: "control", at, control })), value: decided };
    });
    const decided = orFailed(written);
    if (!decided.ok) throw plainFailure(`not resumed: ${decided.error}`);
  };
  // The journal has the stop before the kill file is removed: if this process dies in between, the stop stands.
  await write(() => ok(controlsFrom(standingOf(books), fold.standing)));
  await write(() => {
    const removed = file.remove();
    return removed.ok ? ok([resume]) : removed;
  });
  return fold.standing;
}

/** A stop that came after the person looked is not resumed. */
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
  if (!result.ok) throw plainFailure(result.error.message);
  return result.value;
}
