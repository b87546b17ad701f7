// Says once when one order after the other is approved and none leaves, and once when one has: each by itself is an everyday line
// of the log (its price was gone, its slot came too late), and what they come to is a bot that decides and does not trade.

import type { Step } from "../../domain/step.ts";

/** A few are lost to slots and prices at any time. */
const IN_A_ROW = 10;

type Told = {
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
};

/** To be told of each step. */
export function unsentWatch({ warn, note }: Told): (step: Step) => void {
  let inARow = 0;
  return ({ event }) => {
    if (event.kind !== "report") return;
    const { report } = event;
    switch (report.kind) {
      case "not-sent":
        inARow++;
        if (inARow === IN_A_ROW)
          warn(
            `${IN_A_ROW} orders in a row were approved and not sent, the last because ${report.reason}: nothing that the strategy decides reaches the venue; pegbot status and pegbot doctor say more`,
          );
        return;
      case "filled":
      case "rejected":
      case "doubt":
        if (inARow >= IN_A_ROW) note(`an order was sent again, after ${inARow} in a row that were not`);
        inARow = 0;
        return;
      default:
        // That it is being sent says nothing yet: a connection may fail before the first byte.
        return;
    }
  };
}
