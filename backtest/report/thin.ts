// Fewer rows for the same picture: of each equal span of time the first row and those with each column's lowest and highest
// value, so that no spike is lost. Rows keep their order.

export function thinnedRows(time: Float64Array, columns: readonly Float64Array[], spans: number): number[] {
  const length = time.length;
  if (length <= spans * (1 + 2 * columns.length)) return Array.from({ length }, (_, row) => row);
  const start = time[0] as number;
  const width = ((time[length - 1] as number) - start) / spans;
  const kept: number[] = [];
  for (let from = 0; from < length; ) {
    const span = Math.floor(((time[from] as number) - start) / width);
    let to = from + 1;
    while (to < length && (time[to] as number) < start + (span + 1) * width) to++;
    kept.push(...extremes(columns, from, to));
    from = to;
  }
  if (kept.at(-1) !== length - 1) kept.push(length - 1);
  return kept;
}

function extremes(columns: readonly Float64Array[], from: number, to: number): number[] {
  const rows = new Set([from]);
  for (const column of columns) {
    let [low, high] = [-1, -1];
    for (let row = from; row < to; row++) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < (column[low] as number)) low = row;
      if (high < 0 || value > (column[high] as number)) high = row;
    }
    if (low >= 0) rows.add(low).add(high);
  }
  return [...rows].sort((a, b) => a - b);
}

/** At most so many of `count` rows, evenly spread, the first and last among them. */
export function spreadRows(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, row) => row);
  return Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)));
}
