// Opens the owner of a key: the venue with key, budget and client, the books with journal and kill file, in that order. A
// problem with one of them is refused, with its remedy, before the next is opened. `run` and `start` add strategy, treasury
// and page to it; a command that finds no owner is one for as long as it lasts.

import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { ReplaySubject } from "rxjs";
import { OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import { type CommandFailure, orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import type { Control } from "../../domain/event.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { createRandom, type Random } from "../../domain/random.ts";
import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../domain/time.ts";
import { type BackoffExchange, withBackoff } from "../../exchange/backoff.ts";
import type { KeyBudget, SpentSlot } from "../../exchange/budget/budget.ts";
import type { KeyFile } from "../../exchange/budget/key-file.ts";
import type { ClientParts, WireExchange } from "../../exchange/client.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import type { Want } from "../../exchange/port.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import type { Journal } from "../../journal/journal.ts";
import { MEND, RESUME, STOPS_MAX, type TradingState, transition } from "../../risk/trading-state.ts";
import { strayError } from "../../strategy/guest.ts";
import { keyEnvironment } from "../config/identity.ts";
import { isJournalThere } from "../config/journal-there.ts";
import { embeddedConfig, isEmbedded, type PaperPlace, paperPlace } from "../config/paper-place.ts";
import { venueAddress } from "../config/venue-address.ts";
import { hasQuotes } from "../feeds/par.ts";
import { botTime } from "../journal/bot-time.ts";
import { joinBudget, newInstance, type Tuning } from "../key/join-budget.ts";
import { newKey } from "../key/new-key.ts";
import { connect, type VenueLine } from "../key/open-exchange.ts";
import { openSigner } from "../key/open-signer.ts";
import { amendOwner } from "../key/owner-file.ts";
import { BOT, type KillFile } from "../kill-switch/kill-file.ts";
import { type KillSwitch, startKillSwitch } from "../kill-switch/kill-switch.ts";
import { type EmbeddedSimulator, startEmbeddedSimulator } from "../paper/embedded-simulator.ts";
import { marketOf, scenarioOf, wantedRecording } from "../paper/recorded-market.ts";
import { openLocalBook, type ShadowBook } from "../shadow/local-book.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { leave } from "../system/leave.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import type { Answers } from "./answer.ts";
import { openDoor } from "./door.ts";
import { type Books, type BooksOrder, openBooks } from "./open-books.ts";

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
 * Without its key's file a bot can send nothing, and a process that creates a new one shares no slots with it:
 * only a person can repair this.
 */
export function ledgerWatch(
  ledger: Pick<KeyFile, "path" | "isInPlace">,
  known: () => TradingState,
  tell: (control: Control) => void,
): () => void {
  const reason = `the file of the key is gone: ${dirname(ledger.path)} was moved or deleted, or a file in it was cut, while in use, so that nothing can be asked or sent`;
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

export type OpenedVenue = {
  readonly exchange: BackoffExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly base: URL;
  readonly random: Random;
  readonly simulator: EmbeddedSimulator | undefined;
  /** Of a shadow. */
  readonly book: (() => ShadowBook) | undefined;
};

export type OpenVenue = {
  readonly config: Config;
  readonly tuning: Tuning;
  /** Called for each spent slot when its request has ended. */
  readonly onSlot?: (spent: SpentSlot) => void;
  /** Instead of the client in the configured profile. */
  readonly speak?: ((line: VenueLine) => WireExchange) | undefined;
} & Pick<ClientParts, "onCalled">;

async function openVenue(shell: Shell, order: OpenVenue, closing: Closing): Promise<OpenedVenue> {
  const { config, tuning, onSlot = () => undefined, onCalled = () => undefined } = order;
  const embedded = isEmbedded(config);
  const place = paperPlace(config.journal.path);
  const recording = embedded ? await wantedRecording(shell, config) : undefined;
  if (embedded) await ensurePaperKey(place);
  else venueAddress(config);
  const keyed = embedded ? embeddedConfig(config, undefined) : config;
  const signer = await openSigner(shell, keyed);
  closing.add(() => signer.close());
  const environment = keyEnvironment(config);
  const identity = { environment, patienceMs: 0 } as const;
  const budget = await joinBudget(shell, signer, config.journal.path, { ...tuning, ...identity, onSpent: onSlot });
  closing.add(() => budget.close());
  const { clock } = shell;
  const recorded = embedded ? marketOf(shell, recording, place) : undefined;
  const simulator = embedded
    ? await startEmbeddedSimulator(place, signer.publicKey, {
        clock,
        timers: systemTimers,
        recorded,
        scenario: scenarioOf(config),
        quotesShown: hasQuotes(config),
        ...config.paper,
      })
    : undefined;
  if (simulator !== undefined) closing.add(() => simulator.close());
  const addressed = simulator === undefined ? keyed : embeddedConfig(config, simulator.baseUrl);
  const base = venueAddress(addressed);
  const instruments = embedded ? {} : config.venue.instruments;
  const book = config.mode === "shadow" ? shadowBook(shell, config, closing) : undefined;
  const line = connect(shell, { base, config: addressed, signer, budget, instruments, onCalled, book });
  closing.add(() => line.close());
  const random = createRandom(randomInt(2 ** 47));
  const wire = order.speak?.(line) ?? line.speaking(resolveProfile(addressed.venue.profile));
  const isFast = embedded && config.paper.speed > 1;
  const exchange = withBackoff(isFast ? settlingFast(wire) : wire, {
    clock,
    timers: systemTimers,
    random: random.fork("reads"),
  });
  closing.add(() => exchange.close());
  return { exchange, budget, signer, base, random, simulator, book };
}

/** What settles within seconds is asked for before prices: in its own class it would wait for up to 59 slots. */
function settlingFast(wire: WireExchange): WireExchange {
  const soon = (want: Want): Want => ({ ...want, class: want.class === "treasury" ? "balance" : want.class });
  return {
    ...wire,
    supplyChanges: (asset, want) => wire.supplyChanges(asset, soon(want)),
    rails: (want) => wire.rails(soon(want)),
    payments: (want) => wire.payments(soon(want)),
  };
}

function shadowBook({ clock }: Shell, { journal, venue, shadow }: Config, closing: Closing): () => ShadowBook {
  const profile = resolveProfile(venue.profile);
  const files = { stateFile: `${journal.path}.shadow`, looksFile: `${journal.path}.looks` };
  const parts = { clock, timers: systemTimers, ...files, profile, terms: shadow };
  let book: ShadowBook | undefined;
  closing.add(() => book?.close());
  return () => {
    try {
      book ??= openLocalBook(parts);
    } catch (error) {
      const anew = `move the files that begin with ${journal.path} away: the next run begins a new shadow`;
      throw plainFailure(`the local book cannot be opened: ${errorMessage(error)}`, anew);
    }
    return book;
  };
}

// The key of a paper account, created at its first start.

/**
 * A missing part next to the others is not replaced, because that would be another account; nor is a part that this
 * user may not read.
 */
export async function ensurePaperKey(
  place: PaperPlace,
  stat?: Parameters<typeof isJournalThere>[1],
): Promise<"new" | "known"> {
  const books = isJournalThere(place.journal, stat) ? [place.journal] : [];
  const there = [...books, ...[place.key, place.state].filter(existsSync)];
  if (there.length === 0) {
    requireRoom(place);
    const { content } = await newKey("p256", undefined);
    const created = createSecretFile(place.key, content, "key file");
    // A command given at the same moment may have created it.
    if (!existsSync(place.key)) orFail(created);
    content.fill(0);
    return "new";
  }
  // An interrupted first start may have left only the key, or the key and the simulator's state.
  if (!existsSync(place.key)) throw incomplete(place.key, there);
  if (!existsSync(place.state) && existsSync(place.journal)) throw incomplete(place.state, there);
  return existsSync(place.state) ? "known" : "new";
}

function requireRoom({ key }: PaperPlace): void {
  const barred = whyNoPlace(key);
  if (barred === undefined) return;
  throw usageFailure(
    `a paper account needs a folder that it can write to: ${barred}`,
    "start it as the user whom the folder belongs to, or name another place as journal.path",
  );
}

function incomplete(missing: string, there: readonly string[]): CommandFailure {
  const message = `${missing} is missing next to ${there.join(" and ")}: a paper account has all of them`;
  return usageFailure(message, WHOSE);
}

/** The journal may be one of real money, so the text never suggests removing it. */
const WHOSE =
  "if it is a paper account, bring the file back; if the journal is of another venue (pegbot journal verify says of which), " +
  "leave it alone: run this in another folder, or name another journal.path";
