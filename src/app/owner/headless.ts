// An owner for as long as a command lasts: the very pipeline, without strategy, treasury, notices and page. It serves
// the socket, too, and makes way for a bot that starts.

import type { Engine } from "../../bot/engine.ts";
import { runPipeline } from "../../bot/pipeline.ts";
import { CommandFailure, plainFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { unwrap } from "../../domain/result.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import type { Trader } from "../../operation/money.ts";
import { FRESH, joined, type TradingState } from "../../risk/trading-state.ts";
import { isSameFile, moveJournal, replacedBy } from "../journal/journal-binding.ts";
import { standingIn } from "../journal/open-reader.ts";
import type { Tuning } from "../key/join-budget.ts";
import { controlsFrom, openKillFile } from "../kill-switch/kill-file.ts";
import type { Shell } from "../shell.ts";
import { createClosing } from "../system/closing.ts";
import { type AnswerParts, createAnswers, traderOf } from "./answer.ts";
import { type Ask, Lost } from "./client.ts";
import { ownerBoard } from "./core-of.ts";
import { requireLiveHost } from "./live-conditions.ts";
import type { OpenVenue } from "./open-owner.ts";
import { type OpenedOwner, openKillSwitch, openOwnDoor, openOwner } from "./open-owner.ts";
import { ownerOf } from "./owner-of.ts";
import { ownerParts } from "./owner-parts.ts";
import type { LastLine } from "./protocol.ts";

/** A bot has started, and takes the key over. */
export class Yielded extends Error {
  override readonly name = "Yielded";
}

export type AskedAlone = {
  readonly ask: Ask;
  close(): Promise<void>;
};

export type Headless = AskedAlone & {
  /** For a command that is no operation. */
  trader(): Promise<Trader>;
  /** Undefined until the journal is read. */
  core(): Engine | undefined;
};

export type HeadlessOrder = Pick<OpenVenue, "config" | "speak"> & {
  readonly tuning?: Tuning;
  /** The venue is not compared with the books: for an operation that begins before that. */
  readonly isHeld?: boolean;
  /** `any`: also a journal that is not the key's yet. */
  readonly which?: "any" | undefined;
};

/** `stop`: ends the owner after the request in flight. */
export async function openHeadless(
  shell: Shell,
  { config, tuning = {}, speak, isHeld = false, which }: HeadlessOrder,
  stop: AbortSignal,
): Promise<Headless> {
  const closing = createClosing();
  const over = new AbortController();
  const ending = AbortSignal.any([stop, over.signal]);
  let isYielding = false;
  const close = async (): Promise<void> => {
    over.abort("the command has ended");
    await closing.all();
  };
  try {
    const owner = await openOwner(shell, { config, tuning, speak, which }, closing);
    const { venue, books, line, clock } = owner;
    await requireLiveHost(shell, config, venue);
    const note = (text: string): void => shell.terminal.note(text);
    const { exchange, budget } = venue;
    const { journal, killFile } = books;
    const { opening } = journal;
    const ledger = () => budget.file.status(budget.waiting);
    const board = ownerBoard({ clock, config, environment: opening.environment, journal, ledger });
    const known = (): TradingState => board.tradingCore?.books.counters.tradingState ?? FRESH;
    const killSwitch = openKillSwitch(owner, known, note, closing);
    board.guardedBy(killSwitch.standing);
    const parts = ownerParts(owner, killSwitch, (level, _, text) => (level === "warn" ? note(text) : undefined));
    const served = ownerOf({ config, line, clock, killFile, board, killSwitch, exchange });
    const answering: AnswerParts = {
      ...{ config, line, exchange, killFile: killSwitch, opening, owner: served, clock: shell.clock, isHeld },
      binding: bindingOf(owner, known),
      phase: () => board.phase.kind,
      makeWay() {
        isYielding = true;
        over.abort("a bot has started on this key");
        // At once, also while a person sits at a prompt.
        void run.then(
          () => closing.all(),
          () => undefined,
        );
      },
    };
    const answers = createAnswers(answering);
    await openOwnDoor(owner, answers, note, closing);
    const watch = { ...board.watcher, note, warning: note };
    const ended = runPipeline({ ...parts, isHeld, watch }, ending);
    const run = ended.then((last) => {
      if (last.kind === "stopped") return undefined;
      const code = last.tradingState?.state === "HALTED" ? exitCode.halted : exitCode.refused;
      return last.kind === "failed" ? plainFailure(last.reason) : new CommandFailure(code, last.reason);
    });
    // A bug in the pipeline rejects the pending call; without one it ends the process, as everywhere.
    closing.add(() => run);
    return {
      async ask(name, request, hear) {
        // A stop ends the pipeline, which first waits for the request in flight: that is how the operation ends, too.
        const answer = answers(name, request, hear, new AbortController().signal);
        const first = await Promise.race([answer, run.catch((bug: unknown) => bug)]);
        // Under an id it may have been sent: just now, or by an earlier owner.
        if (first instanceof Error && request.id !== undefined) throw new Lost(exitCode.failed, first.message);
        if (first instanceof Error) throw first;
        const last = (first as LastLine | undefined) ?? (await answer);
        if (isYielding && last.kind === "failed") throw new Yielded();
        return last;
      },
      trader: () =>
        traderOf(answering, {}, () => undefined).catch(async (error: unknown) => {
          throw (await run) ?? error;
        }),
      core: () => board.tradingCore,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function bindingOf({ config, books }: OpenedOwner, known: () => TradingState): Pick<Trader, "replaced" | "bind"> {
  const { key, path, journal } = books;
  const { chainId } = journal.opening;
  return {
    bind: async () => moveJournal(key, path, chainId),
    async replaced() {
      const before = replacedBy(key, path, chainId);
      return before && { ...before, ...standingAt(before.path, config.journal.path, known()) };
    },
  };
}

function standingAt(path: string, present: string, known: TradingState) {
  // The new journal has replaced it at the same path, and uses the same kill file.
  const isSame = isSameFile(path, present);
  const read = isSame ? undefined : triedToRead(path);
  const standing = isSame ? FRESH : joined(openKillFile(path).standing(), read ?? FRESH);
  return { isRead: read !== undefined, standing, stops: controlsFrom(standing, known) };
}

/** An unreadable journal is often the reason for the replacement. */
function triedToRead(path: string): TradingState | undefined {
  let reader: JournalReader | undefined;
  try {
    reader = unwrap(JournalReader.open(path));
    return standingIn(reader);
  } catch {
    return undefined;
  } finally {
    reader?.close();
  }
}
