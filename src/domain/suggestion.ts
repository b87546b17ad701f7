// Suggests the known word nearest to a misspelt one, by letters inserted, omitted, replaced or swapped.

const WORD_MAX = 64;

/** `; did you mean paper?`, or empty if no known word is near. */
export function suggestion(word: string, known: readonly string[]): string {
  if (word.length > WORD_MAX) return "";
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    const near = distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (near && (best === undefined || distance < best.distance)) best = { word: candidate, distance };
  }
  return best === undefined ? "" : `; did you mean ${best.word}?`;
}

/** Optimal string alignment: each edit costs one, and a swap of neighbours is one edit. */
function editDistance(a: string, b: string): number {
  const costs = new Map<string, number>();
  const cost = (i: number, j: number): number => costs.get(`${i} ${j}`) ?? i + j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = cost(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = isSwap ? cost(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      costs.set(`${i} ${j}`, Math.min(replaced, swapped, cost(i - 1, j) + 1, cost(i, j - 1) + 1));
    }
  return cost(a.length, b.length);
}
