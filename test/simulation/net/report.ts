// What many lives of one kind come to, and whether that is what the rule for balances promises.

import type { Kind } from "./kinds.ts";
import type { LifeResult } from "./life.ts";

/** Of running time, from the theft to the halt. */
const DETECTION_MS_MAX = 300_000;

export type Figures = {
  readonly kind: Kind;
  readonly lives: number;
  readonly fills: number;
  /** Lives whose books are not the truth in the end. */
  readonly wrong: readonly number[];
  readonly falseHalts: readonly number[];
  readonly thefts: number;
  readonly missed: readonly number[];
  /** Lives with a theft that was noticed too late. */
  readonly late: readonly number[];
  readonly medianMs: number | undefined;
  readonly worstMs: number | undefined;
  readonly frozenShare: number;
};

/** The lists are of seeds: one of them again is the same life. */
export function figuresOf(kind: Kind, lives: readonly LifeResult[]): Figures {
  const seeds = (isOne: (life: LifeResult) => boolean): readonly number[] =>
    lives.filter(isOne).map(({ seed }) => seed);
  const thefts = lives.flatMap((life) => life.thefts);
  const seen = thefts.flatMap(({ seenAfterMs }) => seenAfterMs ?? []).sort((one, other) => one - other);
  const sum = (of: (life: LifeResult) => number): number => lives.reduce((total, life) => total + of(life), 0);
  return {
    kind,
    lives: lives.length,
    fills: sum(({ fills }) => fills),
    wrong: seeds(({ wrong }) => wrong.length > 0),
    falseHalts: lives.flatMap(({ seed, falseHalts }) => falseHalts.map(() => seed)),
    thefts: thefts.length,
    missed: lives.flatMap((life) => life.thefts.filter(isMissed).map(() => life.seed)),
    late: seeds((life) => life.thefts.some(({ seenAfterMs = 0 }) => seenAfterMs > DETECTION_MS_MAX)),
    medianMs: seen[Math.floor(seen.length / 2)],
    worstMs: seen.at(-1),
    frozenShare:
      sum(({ frozenMs }) => frozenMs) /
      Math.max(
        1,
        sum(({ activeMs }) => activeMs),
      ),
  };
}

/** Neither did the bot halt, nor did a person find it while it was halted. */
function isMissed({ seenAfterMs, isAdopted }: LifeResult["thefts"][number]): boolean {
  return seenAfterMs === undefined && !isAdopted;
}

/** Promises that these lives have broken; empty when all is well. */
export function brokenIn({ kind, wrong, falseHalts, missed, late }: Figures): readonly string[] {
  const broken = (what: string, seeds: readonly number[]): readonly string[] =>
    seeds.length === 0 ? [] : [`${kind.name}: ${what}, seeds ${[...new Set(seeds)].join(" ")}`];
  return [
    ...broken("books are not the truth", wrong),
    ...broken("halted without a theft", kind.isPromised ? falseHalts : []),
    ...broken("a theft was missed", missed),
    ...broken(`a theft was noticed after more than ${DETECTION_MS_MAX / 1_000} s`, late),
  ];
}

const COLUMNS = [
  "kind",
  "lives",
  "fills",
  "books wrong",
  "false halts",
  "thefts",
  "missed",
  "seen after, median",
  "worst",
  "frozen",
];

export function headText(): string {
  return [`| ${COLUMNS.join(" | ")} |`, `|---|${"---:|".repeat(COLUMNS.length - 1)}`].join("\n");
}

export function rowText(figures: Figures): string {
  const { kind, lives, fills, wrong, falseHalts, thefts, missed, medianMs, worstMs, frozenShare } = figures;
  const share = `${(100 * frozenShare).toFixed(1)} %`;
  const halts = kind.isPromised ? `${falseHalts.length}` : `${falseHalts.length} (allowed)`;
  const cells = [
    lives,
    fills,
    wrong.length,
    halts,
    thefts,
    missed.length,
    secondsText(medianMs),
    secondsText(worstMs),
    share,
  ];
  return `| ${[kind.name, ...cells].join(" | ")} |`;
}

function secondsText(ms: number | undefined): string {
  return ms === undefined ? "-" : `${Math.round(ms / 1_000)} s`;
}
