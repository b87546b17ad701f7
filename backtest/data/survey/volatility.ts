// Realised volatility: squared steps of the logarithm between the last prices of hours (of minutes, in data of less than two
// days), added up and divided by the time that passed, weekends included, as in the parameters of the synthetic market.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;
const STEPS_MIN = 20;

export interface Volatility {
  add(time: number, price: number): void;
  /** 0.08 is 8 % a year; undefined with fewer than 20 steps. */
  perYear(): number | undefined;
}

export function createVolatility(spanMs: number): Volatility {
  const grid = spanMs < 2 * DAY ? MINUTE : HOUR;
  let cell = Number.NaN;
  let price = Number.NaN;
  let time = Number.NaN;
  let from = Number.NaN;
  let to = Number.NaN;
  let mark = Number.NaN;
  let sum = 0;
  let steps = 0;
  return {
    add(at, next) {
      const index = Math.floor(at / grid);
      if (index !== cell) {
        // What stood last in the cell before is that cell's price.
        if (Number.isNaN(mark)) from = time;
        else {
          sum += Math.log(price / mark) ** 2;
          steps++;
          to = time;
        }
        mark = price;
        cell = index;
      }
      price = next;
      time = at;
    },
    perYear: () => (steps < STEPS_MIN ? undefined : Math.sqrt((sum / (to - from)) * YEAR)),
  };
}
