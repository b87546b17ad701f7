// Numbers on axes and in legends, by unit.

const DECIMALS_MAX = 12;
const DECIMALS = { money: 2, percent: 3, price: 5, bps: 2, amount: 2, ratio: 2, count: 0 };

export function said(value, unit) {
  if (value === null || value === undefined) return "\u2013";
  const shown = unit === "percent" ? value * 100 : value;
  const text = unit === "price" ? priceText(shown) : grouped(shown, DECIMALS[unit]);
  return unit === "percent" ? `${text} %` : unit === "bps" ? `${text} bp` : text;
}

/** A small price has as many digits that count as a large one. */
function priceText(value) {
  const least = DECIMALS.price;
  const wanted = value === 0 ? least : least - 1 - Math.floor(Math.log10(Math.abs(value)));
  if (wanted <= least) return grouped(value, least);
  const text = grouped(value, Math.min(wanted, DECIMALS_MAX));
  return text.replace(/(\.\d{5}\d*?)0+$/, "$1");
}

/** Ticks need as many decimals as tell them apart. */
export function ticks(values, unit) {
  const factor = unit === "percent" ? 100 : 1;
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) * factor : 1;
  const decimals = decimalsOf(step);
  // All of an axis in thousands, or none.
  const isLarge = step >= 1_000 && values.some((value) => Math.abs(value) * factor >= 100_000);
  return values.map((value) => {
    const shown = value * factor;
    const text =
      isLarge && shown !== 0 ? `${grouped(shown / 1_000, step % 1_000 === 0 ? 0 : 1)}k` : grouped(shown, decimals);
    return unit === "percent" ? `${text} %` : text;
  });
}

/** A step of 0.0025 needs four. */
function decimalsOf(step) {
  const least = Math.max(0, Math.min(DECIMALS_MAX, Math.ceil(-Math.log10(step) - 1e-9)));
  const units = step * 10 ** least;
  return least < DECIMALS_MAX && Math.abs(units - Math.round(units)) > 1e-6 ? least + 1 : least;
}

function grouped(value, decimals) {
  const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : `.${part}`);
  return value < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text;
}

export function moment(seconds) {
  return seconds === null || seconds === undefined
    ? "\u2013"
    : `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")}`;
}
