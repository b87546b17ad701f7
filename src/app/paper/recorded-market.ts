// `market.source` with a file: recorded prices as the market of the embedded simulator. They begin when the paper
// account does and start over at their end. The simulator recovers by replay, so an account stays on the market that it
// was opened on.

import { existsSync, rmSync } from "node:fs";
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { isRecording } from "../../config/section/market.ts";
import { type CommandFailure, orFail, usageFailure } from "../../domain/command-failure.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { PaperPlace } from "../config/paper-place.ts";
import type { Shell } from "../shell.ts";
import { readSmall, writeDurably } from "../system/durable-text.ts";

/** For the simulator's thread to open it. */
export type RecordedMarket = Recording & { readonly startedAt: Millis };

const keptSchema = z.strictObject({ sha256: z.string(), startedAt: z.number().int() });

/** A validated file. */
export type Recording = { readonly path: string; readonly sha256: string };

/** The configured recording; undefined for the synthetic market. Problems of the file end the command. */
export async function wantedRecording(
  shell: Shell,
  { market }: Pick<Config, "market">,
): Promise<Recording | undefined> {
  const path = market.source;
  if (path === undefined || !isRecording(path)) return undefined;
  // The code that reads data files is loaded only if there is one.
  const { openDataFiles } = await import("../data/data-file.ts");
  const { isOfTheMarket, roleOf } = await import("../../../backtest/recording.ts");
  const [file] = openDataFiles(shell, path);
  if (file === undefined) throw usageFailure(`market.source ${path} has no prices`);
  const { source, digest } = file;
  if (source.kind === "bars") throw usageFailure(`market.source ${path} has bars: a market needs bids and asks`);
  if (!isOfTheMarket({ role: "reference", source })) orFail(roleOf(source, "venue"));
  return { path, sha256: digest };
}

/** The configured scenario and its parameters; undefined where none is configured. */
export function scenarioOf({ market: { source } }: Pick<Config, "market">): readonly string[] | undefined {
  return source === undefined || source === "synthetic" || isRecording(source) ? undefined : source.split(" ");
}

/** Records the market of a new account; an existing account must be on it. */
export function marketOf(
  { clock }: Pick<Shell, "clock">,
  recording: Recording | undefined,
  place: PaperPlace,
): RecordedMarket | undefined {
  const kept = keptAt(place.market);
  const isKnown = existsSync(place.state);
  if (isKnown && kept?.sha256 !== recording?.sha256) throw otherMarket(place, kept?.sha256, recording?.sha256);
  if (recording === undefined) {
    rmSync(place.market, { force: true });
    return undefined;
  }
  if (isKnown && kept !== undefined) return { ...recording, startedAt: millis(kept.startedAt) };
  const startedAt = clock.now();
  writeDurably(place.market, `${JSON.stringify({ sha256: recording.sha256, startedAt })}\n`);
  return { ...recording, startedAt };
}

function keptAt(path: string): z.output<typeof keptSchema> | undefined {
  const text = orFail(readSmall(path));
  if (text === undefined) return undefined;
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    throw usageFailure(`${path} is damaged: it must say which recording the paper account is on`);
  }
}

function otherMarket({ journal, market }: PaperPlace, was: string | undefined, is: string | undefined): CommandFailure {
  const name = (sha256: string | undefined): string =>
    sha256 === undefined ? "the synthetic market" : `the recording with sha256 ${sha256.slice(0, 12)}`;
  return usageFailure(
    `the paper account of ${journal} was opened on ${name(was)} (${market}), market.source is ${name(is)}`,
    "set market.source back, or name another journal.path to begin with a new account",
  );
}
