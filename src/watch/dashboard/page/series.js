// Columns over time, as the bot sent them and as they grow. After a restart of the bot what was seen before is kept; where
// nothing was seen there is a gap.

const ROWS_MAX = 2_400;
/** So many spans without a row are a gap. */
const GAP_SPANS = 4;

export class Series {
  columns = [];
  tiers = [];

  /** All of it, on top of what is older. */
  take({ columns, tiers }) {
    const isSame = columns.length === this.columns.length && columns.every((name, at) => name === this.columns[at]);
    const before = isSame ? this.tiers : [];
    this.columns = columns;
    this.tiers = tiers.map((tier, at) => joined(before[at], tier));
  }

  add(points) {
    for (const { tier: at, time, values } of points) {
      const tier = this.tiers[at];
      if (tier === undefined || time <= (tier.time.at(-1) ?? 0)) continue;
      if (isGap(tier, time))
        push(
          tier,
          tier.time.at(-1) + tier.everyMs / 1_000,
          values.map(() => null),
        );
      push(tier, time, values);
    }
  }

  /** The rows from a moment on, with the newest row of all at the end. */
  from(at, seconds) {
    const tier = this.tiers[at] ?? { time: [], columns: this.columns.map(() => []) };
    const first = tier.time.findIndex((time) => time >= seconds);
    const start = first < 0 ? tier.time.length : first;
    const time = tier.time.slice(start);
    const columns = tier.columns.map((column) => column.slice(start));
    const finest = this.tiers[0];
    const newest = finest?.time.at(-1);
    if (at > 0 && newest !== undefined && newest > (time.at(-1) ?? 0)) {
      time.push(newest);
      columns.forEach((column, index) => void column.push(finest.columns[index].at(-1)));
    }
    return { time, column: (name) => columns[this.columns.indexOf(name)] ?? [] };
  }

  get firstTime() {
    return Math.min(...this.tiers.map(({ time }) => time[0] ?? Number.POSITIVE_INFINITY));
  }
}

function joined(before, tier) {
  const grown = { everyMs: tier.everyMs, time: [...tier.time], columns: tier.columns.map((column) => [...column]) };
  const first = grown.time[0] ?? Number.POSITIVE_INFINITY;
  const kept = before === undefined ? 0 : before.time.filter((time) => time < first).length;
  if (kept === 0) return grown;
  const older = {
    everyMs: tier.everyMs,
    time: before.time.slice(0, kept),
    columns: before.columns.map((column) => column.slice(0, kept)),
  };
  if (grown.time.length > 0 && isGap(older, first))
    push(
      older,
      older.time.at(-1) + tier.everyMs / 1_000,
      older.columns.map(() => null),
    );
  return {
    everyMs: tier.everyMs,
    time: [...older.time, ...grown.time],
    columns: older.columns.map((column, index) => [...column, ...grown.columns[index]]),
  };
}

function isGap({ time, everyMs }, next) {
  return time.length > 0 && next - time.at(-1) > (GAP_SPANS * everyMs) / 1_000;
}

function push(tier, time, values) {
  tier.time.push(time);
  tier.columns.forEach((column, index) => void column.push(values[index]));
  if (tier.time.length <= ROWS_MAX) return;
  tier.time.shift();
  for (const column of tier.columns) column.shift();
}
