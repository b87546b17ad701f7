// The environment that a run belongs to. Paper and shadow have their own, regardless of the venue's name in the
// configuration: none of their journals and client order ids can be mistaken for a live one.

import type { Config } from "../../config/schema.ts";
import type { Environment } from "../../domain/client-order-id.ts";

type Which = Pick<Config, "mode" | "venue">;

/** As written in journals, and in the key's ledger next to the journal's path. */
export function environmentName({ mode, venue }: Which): string {
  return mode === "live" ? venue.environment : mode;
}

/** The name under which the key file has the journal. */
export function bindingName({ mode, venue }: Which): string {
  return mode === "paper" ? "paper" : `${mode}:${new URL(venue.baseUrl ?? "http://none").host}`;
}

/** The venue's environment that a key belongs to; none on paper, where a key serves any simulator. */
export function keyEnvironment({ mode, venue }: Which): Environment | undefined {
  return mode === "paper" ? undefined : venue.environment;
}

/** The environment in client order ids. */
export function idEnvironment({ mode, venue }: Which): Environment {
  return mode === "paper" ? "test" : mode === "shadow" ? "shadow" : venue.environment;
}
