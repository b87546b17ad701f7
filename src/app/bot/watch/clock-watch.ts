// Says once in the log that our clock is not the venue's, and once that it is again: trading goes on meanwhile, so that nothing else
// would say it.

import { clockText } from "../../../watch/text/status-text.ts";

/** To be called now and then. One slow answer is no skew: what two looks in a row find is said. */
export function clockWatch(
  skewMs: () => number | undefined,
  say: (level: "info" | "warn", text: string) => void,
): () => void {
  let isSaid = false;
  let wasOff = false;
  return () => {
    const skew = skewMs();
    if (skew === undefined) return;
    const text = clockText(skew);
    const isOff = text !== undefined;
    if (isOff === wasOff && isOff !== isSaid) {
      isSaid = isOff;
      if (isOff) say("warn", `our clock is ${text}`);
      else say("info", "our clock agrees with the venue's again");
    }
    wasOff = isOff;
  };
}
