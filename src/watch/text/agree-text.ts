// For who is about to take back a stop over balances: whether the venue's balances agree with the books again, and since when.

import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { Status } from "../status.ts";

type Stops = Pick<Status["standing"], "cause"> & { readonly also: readonly Pick<Status["standing"], "cause">[] };

/** Undefined where no such stop stands. */
export function agreeText(standing: Stops, since: Millis | undefined): string | undefined {
  if (![standing, ...standing.also].some(({ cause }) => cause === "balances")) return undefined;
  return since === undefined
    ? "they differ from the books still, or were not read yet: a resume would not last"
    : `they agree with the books since ${utcText(since)}, at every reading`;
}
