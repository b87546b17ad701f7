// The running correction of believed fill chances: a line through their log odds with a bend at even odds, fitted to
// outcomes as they come and forgotten over weeks. An order that is drawn at a random limit weighs by one over its odds, up
// to a bound, so that the line does not hold at the favourite limits alone.

const FORGET_MS = 14 * 86_400_000;
const WEIGHT_MAX = 4;
const LOG_ODDS_MAX = 6;

/** Level, slope above and below even odds: their means, and their covariance by rows. */
export type SavedCorrection = { readonly means: readonly number[]; readonly covariance: readonly number[] };

const SIZE = 3;
export const UNCORRECTED: SavedCorrection = { means: [0, 1, 1], covariance: [0.49, 0, 0, 0, 0.25, 0, 0, 0, 0.25] };

export function corrected({ means }: SavedCorrection, chance: number): number {
  return chance <= 0 ? 0 : chanceAt(product(means, termsOf(chance)));
}

type Taught = { readonly chance: number; readonly isFilled: boolean; readonly odds?: number | undefined };

/** `odds`: of this limit among all welcome ones. */
export function taught(
  { means, covariance }: SavedCorrection,
  { chance, isFilled, odds = 1 }: Taught,
): SavedCorrection {
  const terms = termsOf(chance);
  const believed = chanceAt(product(means, terms));
  const weight = Math.min(WEIGHT_MAX, 1 / odds);
  const curve = weight * believed * (1 - believed);
  const towards = means.map((_, row) => product(covariance.slice(row * SIZE, (row + 1) * SIZE), terms));
  const share = 1 / (1 + curve * product(towards, terms));
  const error = weight * ((isFilled ? 1 : 0) - believed) * share;
  const shrunk = (place: number): number =>
    (towards[Math.floor(place / SIZE)] as number) * (towards[place % SIZE] as number) * curve * share;
  return {
    means: means.map((mean, row) => mean + (towards[row] as number) * error),
    covariance: covariance.map((one, place) => one - shrunk(place)),
  };
}

export function faded({ means, covariance }: SavedCorrection, ms: number): SavedCorrection {
  const keeps = 2 ** (-ms / FORGET_MS);
  const back = (to: readonly number[], from: readonly number[], kept: number): number[] =>
    from.map((value, place) => (to[place] as number) + (value - (to[place] as number)) * kept);
  return {
    means: back(UNCORRECTED.means, means, keeps),
    covariance: back(UNCORRECTED.covariance, covariance, keeps ** 2),
  };
}

function termsOf(chance: number): readonly number[] {
  const logOdds = Math.max(-LOG_ODDS_MAX, Math.min(LOG_ODDS_MAX, Math.log(chance / (1 - chance))));
  return [1, Math.max(0, logOdds), Math.min(0, logOdds)];
}

function product(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] as number), 0);
}

function chanceAt(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
