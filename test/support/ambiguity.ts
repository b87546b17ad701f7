// Faults after which nobody can know whether a request happened, as they must look to a read and to an order.

import { expect } from "vitest";
import { always, type Line, type Script } from "./fault-server.ts";
import { untilItHolds } from "./until-it-holds.ts";
import { codeOf, order, paying, playing, reading } from "./wire.ts";

export const someBalances = { balances: [{ asset: "CHF", available: "12.50", pending: "0" }] };

/** The same fault for a read and for an order: the read fails by this code, the order is in doubt, neither is resent. */
export async function ambiguous(script: Script, code: string, options: { halt?: boolean } = {}): Promise<void> {
  await playing(script, {}, async ({ venue, exchange, budget }) => {
    expect(codeOf(await exchange.balances(reading))).toBe(code);
    const outcome = await exchange.addOrder(order, paying());
    expect(outcome).toMatchObject({ kind: "doubt", failure: { code }, halt: options.halt ?? false });
    expect(venue.lines).toHaveLength(2);
    expect(budget.ends).toHaveLength(2);
  });
}

export function until(condition: () => boolean): Promise<void> {
  return untilItHolds(() => expect(condition()).toBe(true));
}

export const answering = (write: (line: Line) => void): Script => always(write);
