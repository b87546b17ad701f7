// One composition for the bot and for every command: the venue with key, budget and client, and the books with journal
// and kill file. A problem with one of them is refused, with its remedy, before the next is opened.

import { randomInt, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import { removeLeftoversBeside } from "../../disk/fresh-file.ts";
import { CommandFailure, orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { createRandom, type Random } from "../../domain/random.ts";
import { type BackoffExchange, withBackoff } from "../../exchange/backoff.ts";
import type { KeyBudget, SpentSlot } from "../../exchange/budget/budget.ts";
import type { ClientParts, WireExchange } from "../../exchange/client.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import type { JournalCode } from "../../journal/journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { bindingName, environmentName, keyEnvironment } from "../config/identity.ts";
import { isJournalThere } from "../config/journal-there.ts";
import { requireOwnFolder } from "../config/open-to-others.ts";
import { embeddedConfig, isEmbedded, type PaperPlace, paperPlace } from "../config/paper-place.ts";
import { venueAddress } from "../config/venue-address.ts";
import { hasQuotes } from "../feeds/par.ts";
import { absenceAt, bindJournal, type KeyJournal } from "../journal/journal-binding.ts";
import { joinBudget, type Tuning } from "../key/join-budget.ts";
import { newKey } from "../key/new-key.ts";
import { connect, type VenueLine } from "../key/open-exchange.ts";
import { openSigner } from "../key/open-signer.ts";
import { type KillFile, openKillFile, testKillSwitch } from "../kill-switch/kill-file.ts";
import { type EmbeddedSimulator, startEmbeddedSimulator } from "../paper/embedded-simulator.ts";
import { marketOf, scenarioOf, wantedRecording } from "../paper/recorded-market.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { systemTimers } from "../system/system-timers.ts";

export type OpenedVenue = {
  readonly exchange: BackoffExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly base: URL;
  readonly random: Random;
  readonly simulator: EmbeddedSimulator | undefined;
};

export type OpenVenue = {
  readonly config: Config;
  readonly tuning: Tuning;
  /** Called for each spent slot when its request has ended. */
  readonly onSlot?: (spent: SpentSlot) => void;
  /** Instead of the client in the configured profile. */
  readonly speak?: ((line: VenueLine) => WireExchange) | undefined;
} & Pick<ClientParts, "onCalled">;

export async function openVenue(shell: Shell, order: OpenVenue, closing: Closing): Promise<OpenedVenue> {
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
      })
    : undefined;
  if (simulator !== undefined) closing.add(() => simulator.close());
  const addressed = simulator === undefined ? keyed : embeddedConfig(config, simulator.baseUrl);
  const base = venueAddress(addressed);
  const instruments = embedded ? {} : config.venue.instruments;
  const line = connect(shell, { base, config: addressed, signer, budget, instruments, onCalled });
  closing.add(() => line.close());
  const random = createRandom(randomInt(2 ** 47));
  const wire = order.speak?.(line) ?? line.speaking(resolveProfile(addressed.venue.profile));
  const exchange = withBackoff(wire, { clock, timers: systemTimers, random: random.fork("reads") });
  closing.add(() => exchange.close());
  return { exchange, budget, signer, base, random, simulator };
}

// The durable side of a run: the journal that belongs to key and environment, and the kill file next to it. A problem
// with them is refused with its remedy before the first request to the venue.

export type Books = {
  readonly journal: SqliteJournal;
  readonly killFile: KillFile;
  readonly path: string;
  /** The binding of the key to its journal. */
  readonly key: KeyJournal;
};

export type BooksOrder = {
  readonly config: Config;
  readonly instance: string;
  readonly codeVersion: string;
  /**
   * `own`: the key's own journal, created at a first start. `existing`: the same, and it must exist. `any`: the journal
   * at the path, or a new one, for a person who then binds it.
   */
  readonly which?: "own" | "existing" | "any" | undefined;
};

export async function openBooks(
  shell: Shell,
  { config, instance, codeVersion, which = "own" }: BooksOrder,
  { budget, signer }: Pick<OpenedVenue, "budget" | "signer">,
  closing: Closing,
): Promise<Books> {
  const { path } = config.journal;
  const environment = environmentName(config);
  const key = { file: budget.file, environment: bindingName(config), hasAccountBeside: isEmbedded(config) };
  requireOwnFolder(config);
  const opened = openJournal({
    path,
    environment,
    account: signer.fingerprint,
    writer: instance,
    codeVersion,
    absent: which === "any" ? "create" : absenceAt(key, path, which),
    newChainId: randomUUID,
    clock: shell.clock,
  });
  if (!opened.ok)
    throw new CommandFailure(codeOf(opened.error.code), opened.error.message, newAccountAt(config, opened.error.code));
  const journal = opened.value;
  closing.add(() => journal.close());
  if (which !== "any") bindJournal(key, path, journal.opening.chainId);
  removeLeftoversBeside(path, shell.clock.now());
  const fault = testKillSwitch(path);
  if (fault !== undefined) throw plainFailure(`the kill switch failed its self-test, so nothing may be sent: ${fault}`);
  return { journal, killFile: openKillFile(path), path, key };
}

const LOST: ReadonlySet<JournalCode> = new Set(["journal-damaged", "journal-missing", "journal-older"]);

/** A paper account's venue lies next to its journal, so a new account is an alternative to adopt. */
function newAccountAt(config: Config, code: JournalCode): string | undefined {
  if (!LOST.has(code) || !isEmbedded(config)) return undefined;
  const files = `every file and folder whose name begins with ${config.journal.path}`;
  return `on the embedded simulator adopt does not help: for a new paper account move ${files} to another folder while no bot runs, and start again`;
}

/** A wrong journal path is a configuration mistake; every other code is a failure. */
const MISPLACED: ReadonlySet<JournalCode> = new Set(["journal-foreign", "journal-missing", "journal-unmade"]);

function codeOf(code: JournalCode): ExitCode {
  return MISPLACED.has(code) ? exitCode.usage : exitCode.failed;
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
    orFail(createSecretFile(place.key, content, "key file"));
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
  const message = `${missing} is missing beside ${there.join(" and ")}: a paper account has all of them`;
  return usageFailure(message, WHOSE);
}

/** The journal may be one of real money, so the text never suggests removing it. */
const WHOSE =
  "if it is a paper account, bring the file back; if the journal is of another venue (pegbot journal verify says of which), " +
  "leave it alone: run this in another folder, or name another journal.path";
