// Joins the ledger of a key: one folder per key fingerprint in the user's state folder, readable by its owner only.
// Leftovers of dead processes are removed, times of an earlier boot are carried over, and a second bot is refused.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFolder } from "../../disk/create-folder.ts";
import { whyExposed, whyOpenToOthers } from "../../disk/open-to-others.ts";
import { isBusy } from "../../disk/sqlite-error.ts";
import { pause } from "../../domain/pause.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { type Mono, mono } from "../../domain/time.ts";
import { KeyBudget } from "./budget.ts";
import type { HostClock, Machine } from "./host-clock.ts";
import { KeyLedger, type LeaseSettings, leaseDefaults } from "./ledger.ts";
import { type LedgerStatus, readStatus, type SpentSlot } from "./ledger-status.ts";
import { describeLedgerError, type JournalBinding, LedgerStore, type Member } from "./ledger-store.ts";
import { botLockPath, isAbandoned, type LockFile, lockPath, tryLock } from "./lock-file.ts";
import { type BudgetSettings, budgetDefaults, type PacingSettings, pacingDefaults, rebasePacing } from "./pacing.ts";

const membersMax = 64;
const retryMs = 20;
/** A command that only looks holds a lock for less. */
const lookedMsMax = 250;

export type LedgerPlace = {
  /** The user's state folder, the same for every process and configuration. */
  readonly stateFolder: string;
  /** Identifies the key: letters, digits, `-` and `_`. */
  readonly fingerprint: string;
};

/** `lockedMsMax`: how long the start waits for a busy file. */
export type OpenSettings = {
  readonly pacing: PacingSettings;
  readonly lease: LeaseSettings;
  readonly lockedMsMax: number;
  readonly environment: string | undefined;
  readonly isTrial: boolean;
};

export function keyFolder({ stateFolder, fingerprint }: LedgerPlace): string {
  return join(stateFolder, "keys", fingerprint);
}

async function openLedger(
  place: LedgerPlace,
  me: Member,
  machine: Machine,
  settings: OpenSettings,
): Promise<Result<KeyLedger>> {
  if (!/^[A-Za-z0-9_-]{8,128}$/.test(place.fingerprint))
    return err(`key fingerprint must be 8 to 128 of A-Z, a-z, 0-9, - and _, was "${place.fingerprint}"`);
  const folder = keyFolder(place);
  const path = join(folder, "ledger.db");
  const giveUpAt = machine.host.monotonic() + settings.lockedMsMax;
  for (;;) {
    try {
      const made = createFolder(join(folder, "live"), 0o700);
      if (!made.ok) return err(describeLedgerError(new Error(`its folder could not be made: ${made.error}`), path));
      const open = openFolder(place.stateFolder, folder);
      if (open !== undefined) return err(describeLedgerError(new Error(open), path));
      return joinLedger(folder, path, me, machine, settings);
    } catch (error) {
      if (!isBusy(error) || machine.host.monotonic() > giveUpAt) return err(describeLedgerError(error, path));
    }
    await pause(machine.timers, retryMs);
  }
}

/**
 * Another user who can create files there could change the key's pace, nonce or journal, or make us write through a
 * link.
 */
function openFolder(stateFolder: string, folder: string): string | undefined {
  for (const each of [stateFolder, dirname(folder), folder, join(folder, "live")]) {
    const why = whyOpenToOthers(each);
    if (why !== undefined)
      return `its folder must be this user's alone, and ${each} ${why}: look who made it, and run pegbot as the user of the bot; if that is this user, chmod 700 ${each}, or name another place in XDG_STATE_HOME`;
  }
  return whyExposed(join(folder, "ledger.db"));
}

/** `journal`: the key's own one. */
export type KeyStatus = LedgerStatus & { readonly journal: JournalBinding | undefined };

/** What a ledger says to a command that only looks: it joins nothing, writes nothing, and makes no ledger. */
export function lookAtLedger(
  place: LedgerPlace,
  { clock, host }: Omit<Machine, "timers">,
  environment: string,
): Result<KeyStatus> {
  const folder = keyFolder(place);
  const path = join(folder, "ledger.db");
  try {
    const open = openFolder(place.stateFolder, folder);
    if (open !== undefined) throw new Error(open);
    const store = new LedgerStore(path, () => host.monotonic(), undefined);
    try {
      const time = { now: () => clock.now(), monotonic: () => host.monotonic() };
      const status = readStatus(store, join(folder, "live"), time, pacingDefaults);
      return ok({ ...status, journal: store.journalOf(environment) });
    } finally {
      store.close();
    }
  } catch (error) {
    return err(describeLedgerError(error, path));
  }
}

function joinLedger(
  folder: string,
  path: string,
  me: Member,
  { clock, host }: Machine,
  settings: OpenSettings,
): Result<KeyLedger> {
  const live = join(folder, "live");
  const store = new LedgerStore(path, () => host.monotonic(), host.boot);
  const locks: LockFile[] = [];
  try {
    const joined = store.transact((): Result<void> => {
      carryOver(store, host, settings.pacing);
      sweep(store, live);
      const other = boundElsewhere(store, settings);
      if (other !== undefined) return err(other);
      const members = store.members();
      if (members.length >= membersMax)
        return err(`ledger-crowded: ${members.length} processes use the key, limit is ${membersMax}`);
      if (me.role === "bot") {
        const lock = tryLock(botLockPath(live), lookedMsMax);
        if (lock === undefined) return err(secondBot(store));
        locks.push(lock);
        // Without its limits, because this row is written with every slot.
        const { limits: _, ...bot } = me;
        store.write({ ...store.read(), bot });
      }
      // Locked before it is listed, both inside the transaction: no live process is ever listed without its lock.
      const mine = tryLock(lockPath(live, me.instance));
      if (mine === undefined) return err(`instance ${me.instance} is already in use`);
      locks.push(mine);
      store.addMember(me);
      return ok(undefined);
    });
    if (joined.ok) return ok(new KeyLedger(store, { me, folder: live, locks }, { clock, host }, settings));
    discard(store, locks);
    return joined;
  } catch (error) {
    discard(store, locks);
    throw error;
  }
}

function discard(store: LedgerStore, locks: readonly LockFile[]): void {
  for (const lock of locks) lock.release();
  store.close();
}

/** After a reboot the monotonic clock restarts: waits continue as if no time had passed, and the slot is free. */
function carryOver(store: LedgerStore, host: HostClock, settings: PacingSettings): void {
  const state = store.read();
  const now = host.monotonic();
  if (state.boot === host.boot && now >= state.markedAt) return;
  const pacing = rebasePacing(state.pacing, state.markedAt, now);
  const openAt: Mono = mono(Math.max(pacing.openAt, now + settings.abandonedMs));
  store.write({
    ...state,
    boot: host.boot,
    pacing: { ...pacing, openAt },
    holder: undefined,
    venueOffsets: [],
    skewMs: undefined,
  });
  store.removeAllBids();
}

function sweep(store: LedgerStore, live: string): void {
  const listed = new Set(store.members().map((member) => member.instance));
  const locked = readdirSync(live).flatMap((name) => (name.endsWith(".lock") ? [name.slice(0, -5)] : []));
  for (const instance of [...new Set([...listed, ...locked])].slice(0, 2 * membersMax))
    if (isAbandoned(lockPath(live, instance))) store.removeMember(instance);
}

/** The first use in an environment of the venue binds the key to it. */
function boundElsewhere(
  store: LedgerStore,
  { environment, isTrial }: Pick<OpenSettings, "environment" | "isTrial">,
): string | undefined {
  if (environment === undefined) return undefined;
  const state = store.read();
  const { environment: bound = environment } = state;
  if (bound !== environment)
    return `other-environment: this key belongs to environment ${bound}, and venue.environment is ${environment}: a key pair is for one environment`;
  if (state.environment === undefined && !isTrial) store.write({ ...state, environment });
  return undefined;
}

function secondBot(store: LedgerStore): string {
  const { bot } = store.read();
  const who =
    bot === undefined
      ? "an unknown process"
      : `process ${bot.pid} since ${new Date(bot.since).toISOString()}, started in ${bot.folder}`;
  return `second-bot: a bot already runs on this key: ${who}`;
}

export type BudgetOptions = {
  readonly place: LedgerPlace;
  readonly machine: Machine;
  /** This process; `instance` is drawn at every start. */
  readonly identity: Omit<Member, "since">;
  readonly pacing?: Partial<PacingSettings>;
  readonly lease?: Partial<LeaseSettings>;
  readonly budget?: Partial<BudgetSettings>;
  /** The venue's environment; a key first used in another one is refused. Absent on paper, where any key serves. */
  readonly environment?: string | undefined;
  /** The environment may be a mistake, which this use is to find: it binds no key. */
  readonly isTrial?: boolean;
  /** Called when a slot of this process ends. */
  readonly onSpent?: (spent: SpentSlot) => void;
};

export async function openBudget(options: BudgetOptions): Promise<Result<KeyBudget>> {
  const budget = { ...budgetDefaults, ...options.budget };
  const me: Member = { ...options.identity, since: options.machine.clock.now() };
  const ledger = await openLedger(options.place, me, options.machine, {
    pacing: { ...pacingDefaults, ...options.pacing },
    lease: { ...leaseDefaults, ...options.lease },
    lockedMsMax: budget.lockedMsMax,
    environment: options.environment,
    isTrial: options.isTrial ?? false,
  });
  return ledger.ok ? ok(new KeyBudget(ledger.value, options.machine, budget, options.onSpent)) : ledger;
}
