// What a person may have meant whose id nothing has.

import type { Desk } from "../../../bot/desk/desk.ts";
import { stateText } from "../../../execution/request.ts";

/** Payments first: there are few, and rails stand open for as long as they are used. */
export function openIn({ executor, engine }: Pick<Desk, "executor" | "engine">): readonly string[] {
  const flights = [...engine.context.accounts.flights()].filter(
    ({ id }) => executor.treasury.payments.get(id) !== undefined,
  );
  return [
    ...flights.map(({ id }) => `${id} (in flight)`),
    ...executor.treasury.payments.expectations().map(({ id }) => `${id} (to come)`),
    ...executor.open().map(({ id, state }) => `${id} (${stateText(state)})`),
  ];
}
