// The configuration: what is in force, or every mistake in it.

import { type Mistake, mistakeLine } from "../../../config/mistake.ts";
import type { Config } from "../../../config/schema.ts";
import { whyNoPlace } from "../../../disk/create-folder.ts";
import { treasuryOddities, unpricedFunds } from "../../config/oddities.ts";
import { openToOthers } from "../../config/open-to-others.ts";
import type { Finding } from "./finding.ts";

const check = "configuration";

export function rightConfiguration({ mode, venue, strategy }: Config): Finding {
  const where = venue.baseUrl ?? "the embedded simulator";
  return { check, verdict: "ok", cause: `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}` };
}

/** What the file may say and this machine, or the treasury, makes nothing of. */
export function oddConfiguration(config: Config, file: string): readonly Finding[] {
  const { path } = config.journal;
  const why = whyNoPlace(path);
  const journal: Finding = {
    check: "journal",
    verdict: "problem",
    cause: `journal.path is ${path}: ${why}`,
    next: "name a place that this user may write to",
  };
  const next = "correct it, if it is not meant; docs/TREASURY.md says what plans are made of";
  const priced = "add it to risk.symbols, or to a feed of market.references";
  return [
    ...unpricedFunds(config).map((cause): Finding => ({ check, verdict: "warning", cause, next: priced })),
    ...treasuryOddities(config).map((cause): Finding => ({ check, verdict: "warning", cause, next })),
    ...openToOthers(config, file).map(
      (cause): Finding => ({ check, verdict: "warning", cause, next: "chmod o-w, and chown to the user of the bot" }),
    ),
    ...(why === undefined ? [] : [journal]),
  ];
}

export function wrongConfiguration(file: string, mistakes: readonly Mistake[]): readonly Finding[] {
  return mistakes.map((mistake) => ({
    check,
    verdict: "problem",
    cause: mistakeLine(file, mistake),
    next: "correct it there; pegbot config check looks at the configuration alone, pegbot init writes a new one",
  }));
}
