// Client order ids say where they belong: T for the test environment, L for the live one, then the instance, then a
// count. An id of one environment is never taken for ours in the other.

import { createIds, type Ids } from "../domain/ids.ts";

export type Environment = "test" | "production";

const PREFIXES: Readonly<Record<Environment, string>> = { test: "T", production: "L" };

export function createClientOrderIds(environment: Environment, instance: string, last?: number): Ids {
  return createIds(PREFIXES[environment], instance, last);
}

/** Where an id of this form was made; undefined when no bot like this one made it. */
export function environmentOf(clientOrderId: string): Environment | undefined {
  const prefix = /^([A-Z])-[a-z0-9]{8,32}-[1-9][0-9]*$/.exec(clientOrderId)?.[1];
  return prefix === PREFIXES.test ? "test" : prefix === PREFIXES.production ? "production" : undefined;
}
