// Whose books a run keeps. Paper has an environment of its own, whatever the configuration calls the venue's: a journal
// of paper trades can never be taken for one of real ones, nor a client order id.

import type { Config } from "../../config/schema.ts";
import type { Environment } from "../../domain/client-order-id.ts";

type Which = Pick<Config, "mode" | "venue">;

/** In journals, and in the key's ledger beside the path of its journal. */
export function environmentName({ mode, venue }: Which): string {
  return mode === "paper" ? "paper" : venue.environment;
}

/** The environment as client order ids name it. */
export function idEnvironment({ mode, venue }: Which): Environment {
  return mode === "paper" ? "test" : venue.environment;
}
