// What a simulator can be told when it is opened. Everything but time has a default.

import type { Clock, Timers } from "../domain/time.ts";
import { type PresetName, type Profile, presets } from "../exchange/profile.ts";
import type { VenueSettings } from "./core/settings.ts";
import type { FaultsSetting } from "./fault.ts";
import type { PaceRules } from "./http/key-gate.ts";
import type { Market } from "./market/market.ts";

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
  /** Resolves when the request has arrived; what it gives resolves when the answer has, and is told of one that never comes. */
  carry(): Promise<(answer: "sent" | "reset" | "silence") => Promise<void>>;
}

export function profileOf({ profile = "contract" }: Pick<SimulatorOptions, "profile">): Profile {
  // The minimum issuance is a rule of the venue whatever its answers look like; a whole profile may still waive it.
  return typeof profile === "object" ? profile : { ...presets[profile], mintMinimum: "applies" };
}
