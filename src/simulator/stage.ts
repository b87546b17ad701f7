// The usual set-up of an account in one go: key registered, KYB cleared, agreements signed, money credited.

import type { Desk } from "./desk.ts";
import type { Operation } from "./operation.ts";

/** A key that is already there keeps what it has: a restart credits nothing twice. */
export async function setUpAccount(
  desk: Desk,
  key: string,
  funds: ReadonlyMap<string, string>,
): Promise<"new" | "known"> {
  if (desk.venue.knows(key)) return "known";
  const operations: Operation[] = [
    { kind: "register", key },
    { kind: "kyb", key, cleared: true },
    { kind: "agreement", key, product: "issuance", signed: true },
    { kind: "agreement", key, product: "conversion", signed: true },
    ...[...funds].map(([asset, amount]): Operation => ({ kind: "credit", key, asset, amount })),
  ];
  for (const operation of operations) {
    const done = await desk.perform(operation);
    if (!done.ok) throw new RangeError(done.error.message);
  }
  return "new";
}
