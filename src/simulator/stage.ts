// The usual set-up of an account in one step: key registered, KYB cleared, agreements signed, money credited.

import { Quantity } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { DEFAULT_ASSETS } from "./core/listing.ts";
import type { AssetListing } from "./core/record.ts";
import { QUANTITY_MAX } from "./core/venue-core.ts";
import type { VenueWriter } from "./venue-writer.ts";

/** A known key keeps its money: a restart does not credit twice. */
export async function setUpAccount(
  writer: VenueWriter,
  key: string,
  funds: ReadonlyMap<string, string>,
): Promise<Result<"new" | "known">> {
  if (writer.venue.knows(key)) return ok("known");
  const wrong = whyNotFunded(funds, writer.venue.assets());
  if (wrong !== undefined) return err(wrong);
  // One operation, so that a crash leaves either all of it in the state file or nothing.
  const done = await writer.perform({ kind: "set-up", key, funds: Object.fromEntries(funds) });
  return done.ok ? ok("new") : err(done.error.message);
}

/** Why an account cannot start with these funds. */
export function whyNotFunded(
  funds: ReadonlyMap<string, string>,
  listed: readonly AssetListing[] = DEFAULT_ASSETS,
): string | undefined {
  const unlisted = [...funds.keys()].find((name) => !listed.some(({ asset }) => asset === name));
  if (unlisted !== undefined) return `asset must be a listed one, was ${unlisted}`;
  const [asset, amount] = [...funds].find(([, text]) => Quantity.of(text).moreThan(QUANTITY_MAX)) ?? [];
  return amount === undefined ? undefined : `${asset} must be at most ${QUANTITY_MAX}, was ${amount}`;
}
