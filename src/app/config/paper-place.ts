// The files of the embedded simulator: next to the journal, under its name. One folder holds a whole paper account;
// removing it starts over.

import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/sanitise.ts";
import type { ScenarioName } from "../../domain/scenario.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { readHead } from "../../simulator/state-file.ts";
import { readSmall } from "../system/durable-text.ts";

export type PaperPlace = {
  readonly journal: string;
  /** The private key of the paper account: a PEM that only its owner can read. */
  readonly key: string;
  readonly state: string;
  /** The recording that the account runs on, and its start; no file for the synthetic market. */
  readonly market: string;
  /** The simulator's base address while the bot runs, for commands. */
  readonly address: string;
};

export function paperPlace(journal: string): PaperPlace {
  const beside = { key: `${journal}.key`, state: `${journal}.simulator`, market: `${journal}.market` };
  return { journal, ...beside, address: `${journal}.address` };
}

/** Paper mode without an address uses the embedded simulator. */
export function isEmbedded({ mode, venue }: Pick<Config, "mode" | "venue">): boolean {
  return mode === "paper" && venue.baseUrl === undefined;
}

/** The configuration for a command next to a running bot, with the embedded simulator's key and address filled in. */
export function withEmbeddedVenue(config: Config): Config {
  if (!isEmbedded(config)) return config;
  const place = paperPlace(config.journal.path);
  const read = readSmall(place.address);
  const baseUrl = read.ok ? read.value?.trim() : undefined;
  return embeddedConfig(config, baseUrl === undefined ? undefined : printable(baseUrl));
}

/** The paper account has its own key and the profile `contract`; of the live venue's only `quotes` holds here too. */
export function embeddedConfig(config: Config, baseUrl: string | undefined): Config {
  const { quotes } = resolveProfile(config.venue.profile);
  const profile = { preset: "contract", quotes } as const;
  const { proxy: _, ...rest } = config.venue;
  const venue: Config["venue"] = { ...rest, profile, ...(baseUrl !== undefined && { baseUrl }) };
  return { ...config, venue, key: { file: paperPlace(config.journal.path).key } };
}

const MARKETS: Partial<Readonly<Record<ScenarioName, string>>> = {
  demo: "demo market: prices built to be earned from",
  calibrated: "calibrated market: simulated, as hard to earn from as a real one",
};

/** Which market is behind the prices; `account`: that of our own simulator's account. */
export function marketText(mode: Config["mode"], account: readonly string[] | undefined): string {
  if (mode !== "paper") return mode === "live" ? "live market" : "live market, read only: fills are of a local book";
  const [name, ...more] = account ?? [];
  if (name === undefined) return "another simulator";
  if (name === "recorded") return "recorded market: prices as they were";
  const changed = more.length === 0 ? "" : `, with ${more.join(", ")}`;
  return `${MARKETS[name as ScenarioName] ?? `${name} market: simulated`}${changed}`;
}

/** The same from the files of the account; undefined before it is opened. */
export function marketBeside(config: Config): string | undefined {
  if (!isEmbedded(config)) return marketText(config.mode, undefined);
  const place = paperPlace(config.journal.path);
  const head = readHead(place.state);
  if (!head.ok || head.value === undefined) return undefined;
  return marketText(config.mode, existsSync(place.market) ? ["recorded"] : head.value.market);
}
