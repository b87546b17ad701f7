// What a simulator can be told when it is opened. Everything but time has a default.

import type { Clock, Timers } from "../domain/time.ts";
import { type PresetName, type Profile, presets } from "../exchange/profile.ts";
import type { Moment } from "./core/record.ts";
import type { VenueSettings } from "./core/settings.ts";
import { createVenue, type Venue } from "./core/venue.ts";
import type { FaultsSetting } from "./fault.ts";
import type { KeyGate, PaceRules } from "./http/key-gate.ts";
import type { Market } from "./market/market.ts";
import { createReferenceFeed, type ReferenceFeed, SERVED_REFERENCES } from "./market/reference.ts";
import { syntheticMarket } from "./market/synthetic.ts";
import { perform } from "./operation.ts";
import { readState, type Snapshot, StateFile, type StoredState } from "./state-file.ts";
import { lockState } from "./state-lock.ts";
import { SettlementClock, VenueWriter } from "./venue-writer.ts";

export type SimulatorOptions = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly seed?: number;
  /** How answers look, and the switches that are the venue's own; the name of a preset, or a whole profile. */
  readonly profile?: PresetName | Profile;
  /** Signed requests are taken in any mixture of these forms; one profile makes the server strict. */
  readonly accept?: readonly Profile[];
  readonly host?: string;
  readonly port?: number;
  /** How many times faster settlement time passes. */
  readonly speed?: number;
  readonly faults?: FaultsSetting;
  /** Keeps the state here, and goes on from what is there. */
  readonly stateFile?: string;
  /** The state file starts anew with a snapshot when it has grown by this (64 MiB), and by its own size. */
  readonly stateGrowthBytesMax?: number;
  readonly settings?: Partial<VenueSettings>;
  readonly market?: Market;
  readonly pace?: Partial<PaceRules>;
  readonly publicCallsCount?: boolean;
  /** What a request to the portal has to carry (`Authorization: Bearer …`); nothing, unless told. */
  readonly portalToken?: string;
  /** What lies between the clients of the API and the service; nothing by default. */
  readonly network?: Network;
};

export interface Network {
  /** Resolves when the request has arrived; the function it gives resolves when the answer has, or takes note that none comes. */
  carry(): Promise<(answer: "sent" | "reset" | "silence") => Promise<void>>;
}

export function profileOf({ profile = "contract" }: Pick<SimulatorOptions, "profile">): Profile {
  // The minimum issuance is a rule of the venue whatever its answers look like; a whole profile may still waive it.
  return typeof profile === "object" ? profile : { ...presets[profile], mintMinimum: "applies" };
}

// The opened venue: market, venue, settlement clock and reference feeds, fresh or as an earlier run left
// them. Opening is recovering: snapshot, then every operation since, through the same function that did it first.

export type OpenVenue = {
  readonly writer: VenueWriter;
  /** By path: /reference/a, /reference/b. */
  readonly references: Readonly<Record<string, ReferenceFeed>>;
  /** Gives a gate the nonces that were accepted before. */
  gateOf(gate: KeyGate): KeyGate;
  close(): Promise<void>;
};

export function openVenue(options: SimulatorOptions): OpenVenue {
  const unlock = options.stateFile === undefined ? () => undefined : lockState(options.stateFile);
  try {
    return openLocked(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function openLocked(options: SimulatorOptions, unlock: () => void): OpenVenue {
  const seed = options.seed ?? 1;
  const market = options.market ?? syntheticMarket(seed);
  const settlement = new SettlementClock(options.clock, options.speed ?? 1);
  const stored = storedState(options.stateFile, seed);
  const state = stored?.snapshot.venue;
  const settings = { ...settingsOf(options), seed };
  const venue = createVenue({ market, settings, ...(state === undefined ? {} : { state }) });
  const { nonces, last } = replay(venue, stored);
  if (last !== undefined) settlement.resume(last);
  const snapshotOf = (): Snapshot => ({
    format: "pegbot-simulator-state",
    version: 1,
    seed,
    moment: settlement.moment(),
    venue: venue.save(),
    nonces: Object.fromEntries(nonces),
  });
  const file =
    options.stateFile === undefined
      ? undefined
      : new StateFile(options.stateFile, snapshotOf, options.stateGrowthBytesMax);
  const feeds = SERVED_REFERENCES.map((parameters) => createReferenceFeed(market, seed, parameters));
  return {
    writer: new VenueWriter(venue, settlement, { file, nonces }),
    async close() {
      await file?.close();
      unlock();
    },
    references: Object.fromEntries(feeds.map((feed, i) => [`/reference/${"abcdefgh"[i]}`, feed])),
    gateOf(gate) {
      for (const [key, nonce] of nonces) gate.spend(key, BigInt(nonce));
      return gate;
    },
  };
}

function settingsOf(options: SimulatorOptions): Partial<VenueSettings> {
  const profile = profileOf(options);
  return {
    ...(profile.mintMinimum === "waived" ? { mintMinimum: undefined } : {}),
    ...(profile.answers === "observed" ? { fokErrorCode: "non_marketable_fok_limit_price" as const } : {}),
    quotesShown: profile.quotes === "get",
    ...options.settings,
  };
}

function storedState(path: string | undefined, seed: number): StoredState | undefined {
  if (path === undefined) return undefined;
  const stored = readState(path);
  if (!stored.ok) throw new RangeError(stored.error);
  const kept = stored.value?.snapshot.seed;
  if (kept !== undefined && kept !== seed)
    throw new RangeError(`${path} belongs to seed ${kept}, was asked for seed ${seed}`);
  return stored.value;
}

function replay(
  venue: Venue,
  stored: StoredState | undefined,
): { nonces: Map<string, string>; last: Moment | undefined } {
  const nonces = new Map(Object.entries(stored?.snapshot.nonces ?? {}));
  let last = stored?.snapshot.moment;
  for (const record of stored?.records ?? []) {
    if (record.kind === "nonce") {
      nonces.set(record.key, record.nonce);
    } else {
      perform(venue, record);
      last = record.moment;
    }
  }
  return { nonces, last };
}
