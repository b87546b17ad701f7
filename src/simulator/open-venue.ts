// The options of a simulator. Everything except time has a default.

import { lockBeside } from "../disk/lock-beside.ts";
import type { Result } from "../domain/result.ts";
import type { Clock, Timers } from "../domain/time.ts";
import { type PresetName, type Profile, presets } from "../exchange/profile.ts";
import { settingsIn, type VenueSettings } from "./core/settings.ts";
import { createVenue } from "./core/venue.ts";
import type { FaultsSetting } from "./fault.ts";
import { KeyGate } from "./http/key-gate.ts";
import type { Market } from "./market/market.ts";
import type { MarketParameters } from "./market/parameters.ts";
import { createReferenceFeed, DEFAULT_REFERENCES, type ReferenceFeed } from "./market/reference.ts";
import { marketIn } from "./market/scenario.ts";
import { syntheticMarket } from "./market/synthetic.ts";
import { readState, type SimulatorState, StateFile, type StoredState, type Timed } from "./state-file.ts";
import { type Choices, switched } from "./switches.ts";
import { SettlementClock, VenueWriter } from "./venue-writer.ts";

export type SimulatorOptions = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly seed?: number;
  /** The format of answers and the venue's own switches: the name of a preset, or a whole profile. */
  readonly profile?: PresetName | Profile;
  /** Signed requests are accepted in any mixture of these forms. */
  readonly accept?: readonly Profile[];
  /** Signed requests are accepted in the form of the profile only. */
  readonly strict?: boolean;
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
  /** Switches by name (`name=value`). */
  readonly switches?: readonly string[];
  /** A scenario and single parameters; that of the state file by default, and `demo` without one. */
  readonly scenario?: readonly string[];
  /** Prices instead of the scenario's. */
  readonly market?: Market;
  /** Arrivals of one key that are closer than this are refused; 1,000 ms by default. */
  readonly pace?: { readonly spacingMs: number };
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

function profileOf({ profile = "contract" }: Pick<SimulatorOptions, "profile">): Profile {
  // The minimum issuance applies in every answer format; a whole profile may still waive it.
  return typeof profile === "object" ? profile : { ...presets[profile], mintMinimum: "applies" };
}

// The opened venue: market, venue, settlement clock and reference feeds, fresh or as an earlier run left them. Opening
// is recovery.

export type OpenVenue = {
  readonly writer: VenueWriter;
  readonly profile: Profile;
  readonly gate: KeyGate;
  /** By path: /reference/a, /reference/b. */
  readonly references: Readonly<Record<string, ReferenceFeed>>;
  close(): Promise<void>;
};

export function openVenue(options: SimulatorOptions): OpenVenue {
  const unlock = options.stateFile === undefined ? () => undefined : lockBeside(options.stateFile);
  try {
    return openLocked(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function openLocked(options: SimulatorOptions, unlock: () => void): OpenVenue {
  const { seed = 1, speed, stateFile, stateGrowthBytesMax, settings: own = {}, pace = { spacingMs: 1_000 } } = options;
  const stored = storedState(options, seed);
  const scenario = options.scenario ?? stored?.market ?? ["demo"];
  const chosen = orThrow(switched({ profile: profileOf(options), settings: own, pace }, options.switches ?? []));
  const parameters = orThrow(marketIn(scenario));
  const market = options.market ?? syntheticMarket(seed, parameters);
  const settings = { ...settingsOf(chosen, parameters), seed };
  const venue = createVenue({ market, settings, ...(stored && { state: stored.state.venue }) });
  const settlement = new SettlementClock(options.clock, speed, stored?.moment);
  const nonces = new Map(Object.entries(stored?.state.nonces ?? {}));
  const gate = new KeyGate(chosen.pace.spacingMs, nonces);
  const read = (): Timed<SimulatorState> => ({
    moment: settlement.moment(),
    state: {
      venue: venue.particulars(),
      nonces: Object.fromEntries(nonces),
      advancedMs: settlement.advancedMs,
    },
  });
  const file = stateFile && new StateFile(stateFile, { seed, market: scenario }, read, stateGrowthBytesMax);
  const feeds = DEFAULT_REFERENCES.map((one) => createReferenceFeed(market, seed, one));
  return {
    writer: new VenueWriter(venue, settlement, file || undefined),
    profile: chosen.profile,
    gate,
    references: Object.fromEntries(feeds.map((feed, i) => [`/reference/${"abcdefgh"[i]}`, feed])),
    async close() {
      if (file) await file.close();
      unlock();
    },
  };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}

function settingsOf({ profile, settings }: Choices, parameters: MarketParameters): Partial<VenueSettings> {
  const scene = settingsIn(parameters);
  return {
    ...scene,
    ...(profile.mintMinimum === "waived" ? { mintMinimum: undefined } : {}),
    mintDestination: profile.mintDestination === "none" ? undefined : profile.mintDestination,
    mintFundingField: profile.mintFunding === "none" ? undefined : profile.mintFunding,
    ...(profile.answers === "observed" ? { fokErrorCode: "non_marketable_fok_limit_price" as const } : {}),
    quotesShown: scene.quotesShown && profile.quotes === "get",
    fillsAt: profile.fillsAt,
    ...settings,
  };
}

function storedState({ stateFile: path, scenario }: SimulatorOptions, seed: number): StoredState | undefined {
  if (path === undefined) return undefined;
  const stored = readState(path);
  if (!stored.ok) throw new RangeError(stored.error);
  const kept = stored.value?.seed;
  if (kept !== undefined && kept !== seed)
    throw new RangeError(`${path} belongs to seed ${kept}, was asked for seed ${seed}`);
  const [was, is] = [stored.value?.market.join(" "), scenario?.join(" ")];
  if (was !== undefined && is !== undefined && was !== is)
    throw new RangeError(`${path} belongs to the market ${was}, was asked for ${is}`);
  return stored.value;
}
