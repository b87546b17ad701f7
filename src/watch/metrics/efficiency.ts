// Profit per request, the figure of a bot whose requests are what is scarce: the change of equity over the requests since
// the first look, and again from each UTC day on, where the day's own figure begins at zero.

import { DAY_MS } from "../../domain/time.ts";
import type { Status } from "../status.ts";

/** In the currency of the limits; undefined before the first request, or while equity is unknown. */
export type Efficiency = (seen: Pick<Status, "at" | "equity">) => number | undefined;

export function createEfficiency(sent: () => number): Efficiency {
  let since: { readonly day: number; readonly today: number; readonly sent: number } | undefined;
  return ({ at, equity: { today } }) => {
    if (today === undefined) return undefined;
    const day = Math.floor(at / DAY_MS);
    since ??= { day, today: Number(today), sent: sent() };
    if (day !== since.day) since = { day, today: 0, sent: sent() };
    const requests = sent() - since.sent;
    return requests > 0 ? (Number(today) - since.today) / requests : undefined;
  };
}
