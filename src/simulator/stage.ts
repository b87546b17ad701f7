// The usual set-up of an account in one step: key registered, KYB cleared, agreements signed, money credited.

import type { Asset } from "../domain/asset.ts";
import { Quantity } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { DEFAULT_ASSETS } from "./core/listing.ts";
import type { AssetListing, Moment } from "./core/record.ts";
import type { Answer } from "./core/refusal.ts";
import type { Venue } from "./core/venue.ts";
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
  // One action, so that a crash leaves either all of it in the state file or nothing.
  const done = await writer.perform((venue, moment) => setUp(venue, key, funds, moment));
  return done.ok ? ok("new") : err(done.error.message);
}

export function setUp(venue: Venue, key: string, funds: ReadonlyMap<string, string>, moment: Moment): Answer<void> {
  const steps = [
    () => venue.registerKey(key),
    () => venue.clearKyb(key, true),
    () => venue.signAgreement(key, "issuance", true),
    () => venue.signAgreement(key, "conversion", true),
    ...[...funds].map(
      ([asset, amount]) =>
        () =>
          venue.credit(key, asset as Asset, Quantity.of(amount), moment),
    ),
  ];
  return steps.reduce<Answer<void>>((done, step) => (done.ok ? step() : done), ok(undefined));
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
