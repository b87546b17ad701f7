// What a person may have meant whose id nothing has.

import type { Desk } from "../../../bot/desk/desk.ts";

/** Payments first: there are few, and rails stand open for as long as they are used. */
export function openIn({ executor, engine }: Pick<Desk, "executor" | "engine">): readonly string[] {
  const flights = [...engine.context.accounts.flights()].filter(
    ({ id }) => executor.movements.payment(id) !== undefined,
  );
  return [
    ...flights.map(({ id }) => `${id} (in flight)`),
    ...[...executor.movements.expectations()].map(({ id }) => `${id} (to come)`),
    ...[...executor.open()].map(({ id, state }) => `${id} (${state.kind})`),
  ];
}
