// Opens the library: key, budget and client, and with a state folder the journal that is bound to the key as a bot's is,
// so that a bot which opens it later knows what was sent.

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { idEnvironment, keyEnvironment } from "../app/config/identity.ts";
import { venueAddress } from "../app/config/venue-address.ts";
import { botTime } from "../app/journal/bot-time.ts";
import { joinBudget, KeyHeld, newInstance } from "../app/key/join-budget.ts";
import { connect } from "../app/key/open-exchange.ts";
import { requireHost, requireLiveHost } from "../app/owner/live-conditions.ts";
import { openBooks } from "../app/owner/open-books.ts";
import { type Closing, createClosing } from "../app/system/closing.ts";
import { systemClock } from "../app/system/system-clock.ts";
import { systemTimers } from "../app/system/system-timers.ts";
import { versionText } from "../app/version.ts";
import { createClientOrderIds } from "../domain/client-order-id.ts";
import { CommandFailure, orFail, usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { isLoopback } from "../domain/loopback.ts";
import { unwrap } from "../domain/result.ts";
import { parseBaseUrl } from "../exchange/base-url.ts";
import { loadSigner } from "../exchange/key/load.ts";
import { resolveProfile } from "../exchange/profile.ts";
import { createDispatch } from "../execution/dispatch.ts";
import type { SqliteJournal } from "../journal/sqlite-journal.ts";
import { OtherCurrency } from "../risk/counters.ts";
import { Account } from "./account.ts";
import { type Venue, VenueError, type VenueOptions } from "./contract.ts";
import { Library } from "./library.ts";
import { readOptions } from "./options.ts";
import { Refused } from "./wish.ts";

export async function openLibrary(options: VenueOptions): Promise<Venue> {
  const closing = createClosing();
  try {
    return await opened(readOptions(options), closing);
  } catch (error) {
    await closing.all();
    throw venueError(error);
  }
}

async function opened(
  { url, key, profile: given, state, environment, limits, ...way }: ReturnType<typeof readOptions>,
  closing: Closing,
): Promise<Venue> {
  const { href: baseUrl, hostname } = orFail(parseBaseUrl(url), "url");
  const mode = environment === undefined ? "paper" : "live";
  if (mode === "paper" && !isLoopback(hostname))
    throw usageFailure("environment must be test or production, was not named", "name the one that the key belongs to");
  const profile = resolveProfile(given);
  const venue = { baseUrl, environment: environment ?? "test", profile: given, instruments: {}, ...way } as const;
  const path = join(resolve(state ?? "."), state === undefined ? "no journal" : "pegbot.db");
  const config = { mode, venue, journal: { path } } as const;
  const base = venueAddress(config);
  const signer = orFail(await loadSigner(key, { curve: profile.curve, publicKey: undefined }));
  closing.add(() => signer.close());
  const shell = { clock: systemClock, command: "library" };
  const budget = await joinBudget(shell, signer, path, { environment: keyEnvironment(config), patienceMs: 0 });
  closing.add(() => budget.close());
  const line = connect(shell, { base, config, signer, budget, instruments: {} });
  closing.add(() => line.close());
  const clock = botTime(systemClock, budget.file);
  const instance = newInstance();
  const codeVersion = versionText();
  const books =
    state === undefined
      ? undefined
      : await openBooks(shell, { config, instance, codeVersion }, { budget, signer }, closing);
  // What another host lists is no evidence about this journal.
  if (books !== undefined && mode === "live") requireHost(config, base);
  const exchange = line.speaking(profile);
  const now = () => ({ at: clock.now(), mono: clock.monotonic() });
  const ids = createClientOrderIds(idEnvironment(config), instance);
  const account = books && new Account({ journal: books.journal, limits, ids, now });
  const configDigest = createHash("sha256").update(JSON.stringify({ baseUrl, given, limits })).digest("hex");
  if (books !== undefined)
    unwrap(books.journal.announce([{ kind: "started", at: clock.now(), codeVersion, configDigest }]));
  const stopped = () => books?.killFile.check();
  const dispatch = createDispatch({
    exchange,
    // Without a journal no call comes as far as that.
    journal: books?.journal as SqliteJournal,
    core: () => account as Account,
    now,
    lastCheck: () => account?.broken ?? stopped(),
    heard: () => undefined,
  });
  const requireBound = async (): Promise<void> => {
    const quiet = { terminal: { note: () => undefined } };
    await requireLiveHost(quiet, config, { base, exchange, budget }).catch((error: unknown) => {
      throw error instanceof CommandFailure ? new Refused("host", error.message, error.next) : error;
    });
  };
  return new Library({
    ...{ exchange, dispatch, account, timers: systemTimers, profile, limits, requireHost: requireBound, stopped },
    isUnsure: () => budget.needsVenueTime(),
    end: () => budget.close(),
    close: () => closing.all(),
  });
}

function venueError(error: unknown): unknown {
  if (error instanceof KeyHeld) return new VenueError("key-owned", error.message, error.next);
  if (error instanceof CommandFailure)
    return new VenueError(error.code === exitCode.usage ? "refused" : "failed", error.message, error.next);
  if (error instanceof OtherCurrency)
    return new VenueError("refused", error.message, "name that one in limits.currency");
  return error;
}
