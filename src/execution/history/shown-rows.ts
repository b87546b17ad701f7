// Rows of history that are known to agree with our own. A venue in process gives the same objects again and again, with a
// few more at one end: those that were looked at in the last answer are not looked at in this one. Rows of a distant one are
// other objects each time, and are all looked at.

const NONE: readonly never[] = Object.freeze([]);

export class ShownRows<R> {
  private rows: readonly R[] = NONE;
  /** So many of them were there: a list that grows in place shows the rest for the first time. */
  private count = 0;
  /** Of these, those that are not known to agree: few, and mostly none. */
  private open: readonly R[] = NONE;
  private shift = 0;

  /** Another answer: go on with `from`, and say at the end which of its rows are to be looked at again. */
  begin(rows: readonly R[]): void {
    this.shift = shiftOf(this.rows, rows);
  }

  /** The first place from there on whose row is to be looked at; the number of rows when none is left. */
  from(index: number, next: readonly R[]): number {
    const { rows, open, shift } = this;
    if (index + shift < 0) return index;
    const until = Math.min(next.length, this.count - shift);
    let i = index;
    if (open.length === 0) while (i < until && next[i] === rows[i + shift]) i++;
    else while (i < until && next[i] === rows[i + shift] && !open.includes(next[i] as R)) i++;
    return i;
  }

  /** All of them were dealt with, and agree but for these. Where that ends in an error, they count as never shown. */
  end(rows: readonly R[], open: readonly R[] = NONE): void {
    this.rows = rows;
    this.count = rows.length;
    this.open = open;
  }
}

/** How much further the same row stands in the list of before. Mostly nothing was added, or one, at either end. */
function shiftOf<R>(before: readonly R[], now: readonly R[]): number {
  const first = now[0];
  if (before[0] === first) return 0;
  if (before[1] === first) return 1;
  if (now[1] === before[0]) return -1;
  const more = now.indexOf(before[0] as R);
  return more >= 0 ? -more : Math.max(0, before.indexOf(first as R));
}
