// The weekend of the currency markets in the log: said once when it begins, with its end, and once when it is over.

export type ClosedWeek = {
  /** To be called now and then. */
  look(): void;
  /** As of the last look. */
  readonly isClosed: boolean;
};

export function createClosedWeek(
  /** When the markets open again; undefined while they are open, and where nothing closes with them. */
  closedUntil: () => number | undefined,
  say: (text: string) => void,
): ClosedWeek {
  let isClosed = false;
  return {
    look() {
      const until = closedUntil();
      if (isClosed === (until !== undefined)) return;
      isClosed = until !== undefined;
      if (until === undefined) return say("the currency markets are open again");
      const time = new Date(until).toISOString().slice(0, 16).replace("T", " ");
      say(
        `the currency markets are closed until ${time} UTC (market.weekend); the same refusal of what rests on them is said once until then`,
      );
    },
    get isClosed() {
      return isClosed;
    },
  };
}
