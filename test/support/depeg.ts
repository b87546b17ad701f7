// Recordings of days on which prices break, as tables that `backtest --data` reads: a coin that loses its peg and a rate that
// is let go.

const SECOND = 1_000;
const HOUR = 3_600_000;

export type Depeg = {
  readonly from: number;
  /** At par for so long, then down in an hour. */
  readonly calmHours: number;
  readonly hours: number;
  /** Below par in the end; 0.12 is 12 %. */
  readonly depth: number;
  /** Back at par so long after it fell; never where it is left out. */
  readonly backHours?: number;
  readonly everyMs: number;
};

/** Quotes of a coin in its fiat: a few basis points below par, where it is bought, and then far below. */
export function depegRows({ from, calmHours, hours, depth, backHours, everyMs }: Depeg): readonly string[] {
  const rows = ["time,bid,ask,bid_size,ask_size"];
  for (let at = 0; at < hours * HOUR; at += everyMs) {
    const fallen = Math.min(Math.max(at / HOUR - calmHours, 0), 1);
    const back = backHours === undefined ? 0 : Math.min(Math.max((at / HOUR - calmHours - 1) / (backHours - 1), 0), 1);
    const mid = 1 - 0.0011 * (1 - fallen) - depth * fallen * (1 - back);
    rows.push(`${from + at},${(mid - 0.0001).toFixed(6)},${(mid + 0.0001).toFixed(6)},20000,20000`);
  }
  return rows;
}

/** A rate between two currencies that falls by so much within a minute, and stays there. */
export function stepRows(from: number, hours: number, stepAtHour: number, depth: number): readonly string[] {
  const rows = ["time,bid,ask"];
  for (let at = 0; at < hours * HOUR; at += 2 * SECOND) {
    const fallen = Math.min(Math.max((at - stepAtHour * HOUR) / (60 * SECOND), 0), 1);
    const mid = 1.12 * (1 - depth * fallen) * (1 + 0.00002 * Math.sin(at / (7 * SECOND)));
    rows.push(`${from + at},${(mid - 0.0001).toFixed(6)},${(mid + 0.0001).toFixed(6)}`);
  }
  return rows;
}
