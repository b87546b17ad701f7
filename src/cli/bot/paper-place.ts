// Where the embedded simulator keeps its things: beside the journal, under the journal's name. One folder holds all of
// a paper account, and whoever removes it begins anew.

import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/outside-text.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { readSmall } from "../latch/durable-text.ts";
import { newKey } from "../new-key.ts";

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

/** Made at the first start. A part that is missing beside the others is not replaced: it would be another account. */
export async function ensurePaperKey(place: PaperPlace): Promise<"new" | "known"> {
  const there = [place.journal, place.key, place.state].filter(existsSync);
  if (there.length === 0) {
    const { content } = await newKey("p256", undefined);
    orFail(createSecretFile(place.key, content, "key file"));
    content.fill(0);
    return "new";
  }
  // A first start that was cut short may have left the key alone, or the key and the simulator's state.
  if (!existsSync(place.key)) throw incomplete(place.key, there);
  if (!existsSync(place.state) && existsSync(place.journal)) throw incomplete(place.state, there);
  return existsSync(place.state) ? "known" : "new";
}

function incomplete(missing: string, there: readonly string[]): CommandFailure {
  const message = `${missing} is missing beside ${there.join(" and ")}: a paper account has all of them`;
  return new CommandFailure(exitCode.usage, message, WHOSE);
}

/** The journal may be of real money: nobody is told to remove it. */
const WHOSE =
  "if it is a paper account, bring the file back; if the journal is of another venue (pegbot journal verify says of which), " +
  "leave it alone: run this in another folder, or name another journal.path";

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
