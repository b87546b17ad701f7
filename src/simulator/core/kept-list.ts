// A list that comes again and again with a few rows more at one end, as histories do: what was made of a row the last time
// is handed over again, and only of new rows anything is made.

export function keptList<R, T>(make: (row: R) => T): (rows: readonly R[]) => readonly T[] {
  let rows: readonly R[] = [];
  let made: readonly T[] = [];
  return (next) => {
    const more = next.indexOf(rows[0] as R);
    // Newest first, which is usual: new rows, then those of last time.
    if (more >= 0 && isSameFrom(next, more, rows))
      made = [...next.slice(0, more).map(make), ...made.slice(0, next.length - more)];
    else made = next.map(remade(rows, made, make));
    rows = next;
    return made;
  };
}

function isSameFrom<R>(next: readonly R[], from: number, rows: readonly R[]): boolean {
  if (next.length - from > rows.length) return false;
  for (let i = from; i < next.length; i++) if (next[i] !== rows[i - from]) return false;
  return true;
}

function remade<R, T>(rows: readonly R[], made: readonly T[], make: (row: R) => T): (row: R) => T {
  const known = new Map(rows.map((row, i) => [row, made[i] as T]));
  return (row) => known.get(row) ?? make(row);
}
