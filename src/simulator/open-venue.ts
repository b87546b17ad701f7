// The options of a simulator. Everything except time has a default.

import type { Clock, Timers } from "../domain/time.ts";
import { type PresetName, type Profile, presets } from "../exchange/profile.ts";
import type { Moment } from "./core/record.ts";
import { settingsIn, type VenueSettings } from "./core/settings.ts";
import { createVenue, type Venue } from "./core/venue.ts";
import type { FaultsSetting } from "./fault.ts";
import type { KeyGate, PaceRules } from "./http/key-gate.ts";
import type { Market } from "./market/market.ts";
import type { MarketParameters } from "./market/parameters.ts";
import { createReferenceFeed, DEFAULT_REFERENCES, type ReferenceFeed } from "./market/reference.ts";
import { marketIn } from "./market/scenario.ts";
import { syntheticMarket } from "./market/synthetic.ts";
import { perform } from "./operation.ts";
import { OLD_MARKET, readState, type Snapshot, StateFile, type StoredState } from "./state-file.ts";
import { lockState } from "./state-lock.ts";
import { SettlementClock, VenueWriter } from "./venue-writer.ts";

export type SimulatorOptions = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly seed?: number;
  /** The format of answers and the venue's own switches: the name of a preset, or a whole profile. */
  readonly profile?: PresetName | Profile;
  /** Signed requests are accepted in any mixture of these forms; one profile makes the server strict. */
  readonly accept?: readonly Profile[];
  readonly host?: string;
  readonly port?: number;
  /** The factor by which settlement time runs faster. */
  readonly speed?: number;
  readonly faults?: FaultsSetting;
  /** The file that keeps the state; an existing one is continued. */
  readonly stateFile?: string;
  /**
   * The state file is rewritten as a snapshot when it has grown by this much (64 MiB by default), and by at least its
   * snapshot's size.
   */
  readonly stateGrowthBytesMax?: number;
  readonly settings?: Partial<VenueSettings>;
  /** A scenario and single parameters; that of the state file by default, and `demo` without one. */
  readonly scenario?: readonly string[];
  /** Prices instead of the scenario's. */
  readonly market?: Market;
  readonly pace?: Partial<PaceRules>;
  readonly publicCallsCount?: boolean;
  /** The token that portal requests must carry (`Authorization: Bearer …`); by default none is needed. */
  readonly portalToken?: string;
  /** The network between API clients and the service; none by default. */
  readonly network?: Network;
};

export interface Network {
  /**
   * Resolves when the request has arrived; the returned function resolves when the answer has, or records that none
   * comes.
   */
  carry(): Promise<(answer: "sent" | "reset" | "silence") => Promise<void>>;
}

export function profileOf({ profile = "contract" }: Pick<SimulatorOptions, "profile">): Profile {
  // The minimum issuance applies in every answer format; a whole profile may still waive it.
  return typeof profile === "object" ? profile : { ...presets[profile], mintMinimum: "applies" };
}

// The opened venue: market, venue, settlement clock and reference feeds, fresh or as an earlier run left them. Opening
// is recovery: the snapshot, then every later operation through the same function that performed it first.

export type OpenVenue = {
  readonly writer: VenueWriter;
  /** By path: /reference/a, /reference/b. */
  readonly references: Readonly<Record<string, ReferenceFeed>>;
  /** Loads the previously accepted nonces into a gate. */
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
  const settlement = new SettlementClock(options.clock, options.speed ?? 1);
  const stored = storedState(options, seed);
  const scenario = options.scenario ?? (stored && marketOf(stored)) ?? OLD_MARKET;
  const parameters = marketIn(scenario);
  if (!parameters.ok) throw new RangeError(parameters.error);
  const market = options.market ?? syntheticMarket(seed, parameters.value);
  const state = stored?.snapshot.venue;
  const settings = { ...settingsOf(options, parameters.value), seed };
  const venue = createVenue({ market, settings, ...(state === undefined ? {} : { state }) });
  const { nonces, last } = replay(venue, stored);
  if (last !== undefined) settlement.resume(last);
  const snapshotOf = (): Snapshot => ({
    format: "pegbot-simulator-state",
    version: 1,
    seed,
    market: scenario,
    moment: settlement.moment(),
    venue: venue.save(),
    nonces: Object.fromEntries(nonces),
  });
  const file =
    options.stateFile === undefined
      ? undefined
      : new StateFile(options.stateFile, snapshotOf, options.stateGrowthBytesMax);
  const feeds = DEFAULT_REFERENCES.map((parameters) => createReferenceFeed(market, seed, parameters));
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

function settingsOf(options: SimulatorOptions, parameters: MarketParameters): Partial<VenueSettings> {
  const profile = profileOf(options);
  const scene = settingsIn(parameters);
  return {
    ...scene,
    ...(profile.mintMinimum === "waived" ? { mintMinimum: undefined } : {}),
    mintDestination: profile.mintDestination === "none" ? undefined : profile.mintDestination,
    ...(profile.answers === "observed" ? { fokErrorCode: "non_marketable_fok_limit_price" as const } : {}),
    quotesShown: scene.quotesShown && profile.quotes === "get",
    ...options.settings,
  };
}

function marketOf({ snapshot }: StoredState): readonly string[] {
  return snapshot.market ?? OLD_MARKET;
}

function storedState({ stateFile: path, scenario }: SimulatorOptions, seed: number): StoredState | undefined {
  if (path === undefined) return undefined;
  const stored = readState(path);
  if (!stored.ok) throw new RangeError(stored.error);
  const kept = stored.value?.snapshot.seed;
  if (kept !== undefined && kept !== seed)
    throw new RangeError(`${path} belongs to seed ${kept}, was asked for seed ${seed}`);
  const [was, is] = [stored.value && marketOf(stored.value).join(" "), scenario?.join(" ")];
  if (was !== undefined && is !== undefined && was !== is)
    throw new RangeError(`${path} belongs to the market ${was}, was asked for ${is}`);
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
