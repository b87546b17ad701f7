// Where the embedded simulator keeps its things: beside the journal, under the journal's name. One folder holds all of
// a paper account, and whoever removes it begins anew.

import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/sanitise.ts";
import { readSmall } from "../kill-switch/durable-text.ts";

export type PaperPlace = {
  readonly journal: string;
  /** The private key of the paper account: a PEM that only its owner can read. */
  readonly key: string;
  /** The simulator's state file. */
  readonly state: string;
  /** Which recording the account is on, and since when; nothing for the synthetic market. */
  readonly market: string;
  /** While the bot runs: the simulator's base address, for the commands beside it. */
  readonly address: string;
};

export function paperPlace(journal: string): PaperPlace {
  const beside = { key: `${journal}.key`, state: `${journal}.simulator`, market: `${journal}.market` };
  return { journal, ...beside, address: `${journal}.address` };
}

/** Paper mode without an address brings its own venue. */
export function isEmbedded({ mode, venue }: Pick<Config, "mode" | "venue">): boolean {
  return mode === "paper" && venue.baseUrl === undefined;
}

/** The configuration as a command beside a running bot needs it: with the embedded simulator's key and address filled in. */
export function withEmbeddedVenue(config: Config): Config {
  if (!isEmbedded(config)) return config;
  const place = paperPlace(config.journal.path);
  const read = readSmall(place.address);
  const baseUrl = read.ok ? read.value?.trim() : undefined;
  return embeddedConfig(config, baseUrl === undefined ? undefined : printable(baseUrl));
}

/** The paper account has a key of its own, and is spoken to as the interface says, whatever the live venue wants. */
export function embeddedConfig(config: Config, baseUrl: string | undefined): Config {
  const venue: Config["venue"] = { ...config.venue, profile: "contract", ...(baseUrl !== undefined && { baseUrl }) };
  return { ...config, venue, key: { file: paperPlace(config.journal.path).key } };
}
