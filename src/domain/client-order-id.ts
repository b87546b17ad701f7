// Client order ids name their origin: T for the test environment, L for the live one, S for a shadow, then the instance,
// then a counter. An id of one environment is never taken for ours in the other.

import { createIds, type Ids } from "./ids.ts";

export type Environment = "test" | "production" | "shadow";

const PREFIXES: Readonly<Record<Environment, string>> = { test: "T", production: "L", shadow: "S" };

export function createClientOrderIds(environment: Environment, instance: string, last?: number): Ids {
  return createIds(PREFIXES[environment], instance, last);
}

const FORM = /^([A-Z])-[a-z0-9]{8,32}-[1-9][0-9]*$/;

/** The environment of an id; undefined if no bot of this kind made it. */
export function environmentOf(clientOrderId: string): Environment | undefined {
  const prefix = FORM.exec(clientOrderId)?.[1];
  return (Object.keys(PREFIXES) as Environment[]).find((environment) => PREFIXES[environment] === prefix);
}
