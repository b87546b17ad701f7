// The status of an owner without a page, or of a journal while no owner runs.

import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../domain/time.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import type { Journal } from "../../journal/journal.ts";
import { haircutsOf } from "../../operation/terms/movement-terms.ts";
import { createStatusBoard, type StatusBoard } from "../../watch/status/status-board.ts";
import { marketBeside } from "../config/paper-place.ts";
import { versionText } from "../version.ts";

export type BoardOf = {
  readonly clock: Clock;
  readonly config: Config;
  readonly environment: string;
  readonly journal: Pick<Journal, "head">;
  readonly ledger: () => KeyStatus | undefined;
};

export function ownerBoard({ config, ...parts }: BoardOf): StatusBoard {
  return createStatusBoard({
    ...parts,
    version: versionText(),
    mode: config.mode,
    market: marketBeside(config),
    venue: config.venue.baseUrl ?? "embedded simulator",
    journalPath: config.journal.path,
    limits: limitsOf(config),
    haircuts: haircutsOf(config),
    targets: config.treasury.targets,
  });
}
