// From a file of any format to clean rows: opens it, reads it through the rules, and says what it was. Throws DataRefused
// with every problem found, and leaves nothing half done.

import { type Declaration, type Format, type Input, JUMP_MAX } from "./format/format.ts";
import { fileBytes, nameInside } from "./input/file-bytes.ts";
import { type FileIdentity, identityOf, requireSame } from "./input/file-identity.ts";
import { Intake, type Sink } from "./intake.ts";
import type { DataKind, Subject } from "./kind.ts";
import { ProblemLog, type Refusal } from "./problem.ts";
import { type LeftOut, summed } from "./source.ts";

/** Of the shortest month. */
const MONTH_DAYS = 28;
const DAY_MS = 86_400_000;

/** The end of a file that is left out may be a tenth of what is kept. */
const STRAYS_PER_ROW_MAX = 10;

export type Reading = {
  readonly subject: Subject;
  readonly rows: number;
  /** Rows left out because their problem was tolerated by name. */
  readonly tolerated: Refusal;
  /** The same per reason, with what else there is to say of rows. */
  readonly leftOut: LeftOut;
};

/** What is to be read, and how. */
export type Original = {
  readonly path: string;
  readonly format: Format;
  readonly declared: Declaration;
  /** As it was when its digest was taken; a file that is another by the end of the reading is refused. */
  readonly identity?: FileIdentity;
  /** Rows that were left out before it was written, per reason. */
  readonly leftOut?: LeftOut;
  /** Told now and then how many bytes of the file are done. */
  readonly watch?: (bytes: number) => void;
};

/** `sinkFor` is called once, when the kind of rows is known. */
export async function readData(original: Original, sinkFor: (kind: DataKind) => Sink): Promise<Reading> {
  const { path, format, declared, watch } = original;
  const log = new ProblemLog(path, format.unit, declared.tolerate);
  const identity = original.identity ?? identityOf(path, log);
  let intake: Intake | undefined;
  const input: Input = {
    path,
    declared,
    log,
    bytes: () => fileBytes(path, log, { entry: declared.entry, watch }),
    intake(kind) {
      intake = new Intake(kind, log, declared.jumpMax ?? JUMP_MAX, sinkFor(kind));
      return intake;
    },
  };
  await format.read(input);
  intake?.flush();
  requireSame(path, identity, log);
  log.requireNone();
  if (intake === undefined || intake.rows === 0) return log.refuse("empty", "there is no row of data in it");
  requireRest(intake, log);
  const { symbol } = declared;
  const named = format.intervalIn && [nameInside(path, log, declared.entry), path].map(format.intervalIn);
  const subject: Subject =
    intake.kind === "quotes"
      ? { kind: "quotes", symbol }
      : {
          kind: "bars",
          symbol,
          intervalMs: barLength(intake, declared.intervalMs ?? named?.find((ms) => ms !== undefined), log),
        };
  return {
    subject,
    rows: intake.rows,
    tolerated: log.tolerations(),
    leftOut: summed(original.leftOut ?? {}, log.reasons()),
  };
}

/** A row that nothing after it fits is not worth the rest of the file, whatever is tolerated. */
function requireRest({ strays: { rows, behind, isBehindOne }, rows: kept }: Intake, log: ProblemLog): void {
  if (rows > 1 && (isBehindOne || rows * STRAYS_PER_ROW_MAX > kept))
    log.refuse(
      "rest",
      `the last ${rows} rows would all be left out behind ${behind}, and ${kept} be kept: mend or remove what is wrong there`,
    );
}

function barLength({ stepMsMin }: Intake, intervalMs: number | undefined, log: ProblemLog): number {
  const length = intervalMs ?? stepMsMin;
  if (!Number.isFinite(length)) log.refuse("format", "the length of a single bar must be declared");
  if (stepMsMin < length)
    log.refuse("format", `bars of ${length} ms must be as far apart or more, was ${stepMsMin} ms`);
  // Taken for as long as the shortest, those of the other months would be known before they are over.
  if (length >= MONTH_DAYS * DAY_MS)
    log.refuse(
      "format",
      `bars must be shorter than ${MONTH_DAYS} days, were ${length / DAY_MS} days: months have no one length; take bars of days or weeks, or declare --interval where only the rows are so far apart`,
    );
  return length;
}
