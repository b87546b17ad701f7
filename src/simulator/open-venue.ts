// The options of a simulator. Everything except time has a default.

import { lockBeside } from "../disk/lock-beside.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Clock, Timers } from "../domain/time.ts";
import { type PresetName, type Profile, presets } from "../exchange/profile.ts";
import { DEFAULT_SETTINGS, settingsIn, type VenueSettings } from "./core/settings.ts";
import type { VenueState } from "./core/state.ts";
import { createVenue, type Venue } from "./core/venue.ts";
import type { FaultsSetting } from "./fault.ts";
import { type KeyGate, PACE, type PaceRules } from "./http/key-gate.ts";
import type { Market } from "./market/market.ts";
import type { MarketParameters } from "./market/parameters.ts";
import { createReferenceFeed, DEFAULT_REFERENCES, type ReferenceFeed } from "./market/reference.ts";
import { marketIn } from "./market/scenario.ts";
import { syntheticMarket } from "./market/synthetic.ts";
import { readState, type SimulatorState, StateFile, type StoredState, type Timed } from "./state-file.ts";
import { type InForce, lastOfEach, switched } from "./switches.ts";
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
  /** Switches by name (`name=value`), on top of those that the state file has. */
  readonly switches?: readonly string[];
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

function profileOf({ profile = "contract" }: Pick<SimulatorOptions, "profile">): Profile {
  // The minimum issuance applies in every answer format; a whole profile may still waive it.
  return typeof profile === "object" ? profile : { ...presets[profile], mintMinimum: "applies" };
}

// The opened venue: market, venue, settlement clock and reference feeds, fresh or as an earlier run left them. Opening
// is recovery.

export type OpenVenue = {
  readonly writer: VenueWriter;
  inForce(): Live;
  /** On top of the switches so far; refused as a whole. */
  turn(switches: readonly string[]): Promise<Result<void>>;
  /** Loads the previously accepted nonces into a gate. */
  gateOf(gate: KeyGate): KeyGate;
  close(): Promise<void>;
};

/** The venue under certain switches. */
export type Live = InForce & {
  readonly switches: readonly string[];
  readonly settings: VenueSettings;
  readonly parameters: MarketParameters;
  readonly venue: Venue;
  /** By path: /reference/a, /reference/b. */
  readonly references: Readonly<Record<string, ReferenceFeed>>;
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
  const seed = options.seed ?? 1;
  const settlement = new SettlementClock(options.clock);
  const stored = storedState(options, seed);
  const scenario = options.scenario ?? stored?.market ?? ["demo"];
  const nonces = new Map(Object.entries(stored?.state.nonces ?? {}));
  let live = openLive(options, { scenario, switches: stored?.state.switches ?? [] }, stored?.state.venue);
  const turned = (more: readonly string[]): Live => {
    const switches = lastOfEach([...live.switches, ...more]);
    const next = openLive(options, { scenario, switches }, live.venue.save());
    // Faults are part of the saved state.
    next.venue.setFaults(next.settings.faults);
    settlement.run(next.speed);
    return next;
  };
  if (options.switches?.length) live = turned(options.switches);
  settlement.run(live.speed);
  if (stored !== undefined) settlement.resume(stored.moment);
  const read = (): Timed<SimulatorState> => ({
    moment: settlement.moment(),
    state: {
      switches: live.switches,
      venue: live.venue.particulars(),
      nonces: Object.fromEntries(nonces),
      advancedMs: settlement.advancedMs,
    },
  });
  const { stateFile, stateGrowthBytesMax } = options;
  const file =
    stateFile === undefined
      ? undefined
      : new StateFile(stateFile, { seed, market: scenario }, read, stateGrowthBytesMax);
  const writer = new VenueWriter(live.venue, settlement, { file, nonces });
  return {
    writer,
    inForce: () => live,
    async turn(switches) {
      try {
        live = turned(switches);
      } catch (error) {
        if (error instanceof RangeError) return err(error.message);
        throw error;
      }
      writer.venue = live.venue;
      await writer.synced();
      return ok(undefined);
    },
    async close() {
      await file?.close();
      unlock();
    },
    gateOf(gate) {
      for (const [key, nonce] of nonces) gate.spend(key, BigInt(nonce));
      return gate;
    },
  };
}

function openLive(options: SimulatorOptions, chosen: Pick<Live, "scenario" | "switches">, state?: VenueState): Live {
  const { seed = 1, settings: own = {}, publicCallsCount = true, speed = 1 } = options;
  const pace = { ...PACE, ...options.pace };
  const { switches, scenario } = chosen;
  const before = { profile: profileOf(options), scenario, settings: own, pace, publicCallsCount, strict: false, speed };
  const inForce = orThrow(switched(before, switches));
  const parameters = orThrow(marketIn(inForce.scenario));
  const market = options.market ?? syntheticMarket(seed, parameters);
  const settings = { ...DEFAULT_SETTINGS, ...settingsOf(inForce, parameters), seed };
  const venue = createVenue({ market, settings, ...(state === undefined ? {} : { state }) });
  const feeds = DEFAULT_REFERENCES.map((one) => createReferenceFeed(market, seed, one));
  const references = Object.fromEntries(feeds.map((feed, i) => [`/reference/${"abcdefgh"[i]}`, feed]));
  return { ...inForce, switches, settings, parameters, venue, references };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}

function settingsOf({ profile, settings }: InForce, parameters: MarketParameters): Partial<VenueSettings> {
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
