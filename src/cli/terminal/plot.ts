// A line of prices in a terminal: blocks from the lowest to the highest price of each column, with the scale at the left and
// the time below.

export type Outline = { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> };

const GAP = "  ";

/** `height` lines, the highest price first; columns without a price stay blank. Half a line is the finest that shows. */
export function plotLines({ low, high }: Outline, height: number): string[] {
  const bottom = extreme(low, Math.min);
  const top = extreme(high, Math.max);
  const step = (top - bottom) / height || Math.abs(top) * 1e-6 || 1;
  const halfOf = (price: number): number => Math.min(2 * height - 1, Math.floor(((top - price) / step) * 2));
  const scale = Array.from({ length: height }, (_, line) => label(top - (line + 0.5) * step, step));
  const width = Math.max(...scale.map((text) => text.length));
  return scale.map((text, line) => {
    let drawn = "";
    for (let column = 0; column < low.length; column++)
      drawn += glyph(halfOf(high[column] as number), halfOf(low[column] as number), line * 2);
    return `${text.padStart(width)}${GAP}${drawn}`.trimEnd();
  });
}

/** `first` and `last` are the halves that a price covered, NaN without one; `upper` is the upper half of the cell. */
function glyph(first: number, last: number, upper: number): string {
  const hasUpper = first <= upper && last >= upper;
  const hasLower = first <= upper + 1 && last >= upper + 1;
  if (hasUpper) return hasLower ? "█" : "▀";
  return hasLower ? "▄" : " ";
}

function extreme(values: ArrayLike<number>, pick: (one: number, other: number) => number): number {
  let found = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value)) found = Number.isNaN(found) ? value : pick(found, value);
  }
  return found;
}

/** As many decimals as tell two lines apart. */
function label(price: number, step: number): string {
  return price.toFixed(Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(step)))));
}
