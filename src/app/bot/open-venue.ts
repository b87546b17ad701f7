// The venue of a run, ready to be asked: the key, its budget as the one bot on it, in paper mode the embedded
// simulator, and the patient client. The budget comes first: a second bot is refused before it touches anything of the
// first one's.

import { randomInt } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { createRandom, type Random } from "../../domain/random.ts";
import { type BackoffExchange, withBackoff } from "../../exchange/backoff.ts";
import type { KeyBudget } from "../../exchange/budget/budget.ts";
import { type SpentSlot, watchedBudget } from "../../exchange/budget/watched-budget.ts";
import type { ClientParts } from "../../exchange/client.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { limitTexts } from "../config/limits-in-force.ts";
import { venueAddress } from "../config/venue-address.ts";
import { joinBudget, type Tuning } from "../key/join-budget.ts";
import { connect } from "../key/open-exchange.ts";
import { openSigner } from "../key/open-signer.ts";
import { type EmbeddedSimulator, startEmbeddedSimulator } from "../paper/embedded-simulator.ts";
import { ensurePaperKey } from "../paper/paper-key.ts";
import { embeddedConfig, isEmbedded, paperPlace } from "../paper/paper-place.ts";
import { marketOf, wantedRecording } from "../paper/recorded-market.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { Closing } from "./closing.ts";

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
  /** Of this process: in the key's ledger and on every record of the journal. */
  readonly instance: string;
  readonly tuning: Tuning;
  /** Of each slot that was spent, when its request is over. */
  readonly onSlot?: (spent: SpentSlot) => void;
} & Pick<ClientParts, "onCalled">;

export async function openVenue(shell: Shell, order: OpenVenue, closing: Closing): Promise<OpenedVenue> {
  const { config, instance, tuning, onSlot = () => undefined, onCalled = () => undefined } = order;
  const embedded = isEmbedded(config);
  const place = paperPlace(config.journal.path);
  const recording = embedded ? await wantedRecording(shell, config) : undefined;
  if (embedded) await ensurePaperKey(place);
  else venueAddress(config);
  const keyed = embedded ? embeddedConfig(config, undefined) : config;
  const signer = await openSigner(shell, keyed);
  closing.add(() => signer.close());
  const budget = await joinBudget(shell, signer, { ...tuning, role: "bot", instance, limits: limitTexts(config) });
  closing.add(() => budget.close());
  const { clock } = shell;
  const recorded = embedded ? marketOf(shell, recording, place) : undefined;
  const simulator = embedded
    ? await startEmbeddedSimulator(place, signer.publicKey, { clock, timers: systemTimers, recorded })
    : undefined;
  if (simulator !== undefined) closing.add(() => simulator.close());
  const addressed = simulator === undefined ? keyed : embeddedConfig(config, simulator.baseUrl);
  const base = venueAddress(addressed);
  const watched = watchedBudget(budget, clock, onSlot);
  const line = connect(shell, { base, mode: config.mode, signer, budget: watched, onCalled });
  closing.add(() => line.close());
  const random = createRandom(randomInt(2 ** 47));
  const wire = line.speaking(resolveProfile(addressed.venue.profile));
  const exchange = withBackoff(wire, { clock, timers: systemTimers, random: random.fork("reads") });
  closing.add(() => exchange.close());
  return { exchange, budget, signer, base, random, simulator };
}
