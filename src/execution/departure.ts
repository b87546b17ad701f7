// What an order passes on its way out, whoever carries it: checked once more when its slot opens, recorded as sent before a
// byte leaves, and checked by the switch as the last statement. Synchronous, so that a backtest takes the same way.

import type { PairSymbol } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import { mono } from "../domain/time.ts";
import type { MoneyWant, Outcome } from "../exchange/port.ts";
import type { Journal } from "../journal/journal.ts";
import { createExitDoor } from "../risk/exit-door.ts";
import type { Approved } from "../risk/gate.ts";
import type { Breach, Gate, RiskContext } from "../risk/rule.ts";
import type { Executor } from "./executor.ts";
import type { Moment } from "./submission.ts";

export type DepartureParts = {
  readonly journal: Pick<Journal, "announce">;
  /** Asked each time: after a rebuild they are others. */
  readonly core: () => DepartureCore;
  readonly now: () => Moment;
  /** Kill switch and files on disk: a reason refuses. */
  readonly lastCheck: () => string | undefined;
};

export type DepartureCore = {
  readonly executor: Executor;
  readonly gate: Pick<Gate<Approved>, "recheck">;
  readonly engine: {
    readonly context: RiskContext;
    readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
  };
};

export interface Departures {
  /** The checks of one order. `begins` is told when it is on record as sent. */
  want(order: Approved, begins?: () => void): MoneyWant;
  /** How it ended; what was sent and is not what was approved stops everything. */
  ended(id: ClientOrderId, outcome: Outcome<Fill>): Control | undefined;
  /** From now on nothing begins to leave. */
  close(reason: string): void;
  /** Why nothing leaves any more. */
  readonly closed: string | undefined;
  /** Orders whose bytes may be out, and which are not answered yet. */
  readonly inFlight: ReadonlySet<ClientOrderId>;
}

export function createDepartures({ journal, core, now, lastCheck }: DepartureParts): Departures {
  const door = createExitDoor();
  const inFlight = new Set<ClientOrderId>();
  const breaches = new Map<ClientOrderId, Breach>();
  let closed: string | undefined;

  function recheck(order: Approved): string | undefined {
    const { executor, gate, engine } = core();
    const moment = now();
    if (closed !== undefined) return closed;
    if (moment.at > order.expiresAt) return `the decision is ${moment.at - order.expiresAt} ms past its lifetime`;
    const listed = engine.instruments.get(order.symbol);
    if (listed === undefined) return `${order.symbol} is not listed any more`;
    const freeze = executor.freeze(moment);
    const { base, quote } = listed;
    if (freeze.kind === "everything") return freeze.reason;
    if (freeze.kind === "assets" && (freeze.assets.includes(base) || freeze.assets.includes(quote)))
      return freeze.reason;
    return gate.recheck({ ...order, instrument: listed }, engine.context)?.message;
  }

  return {
    want(order, begins) {
      const { clientOrderId: id, expiresAt } = order;
      const { at, mono: from } = now();
      door.approve(order);
      return {
        class: "order",
        // Past its lifetime it is dropped by whoever keeps the slots.
        deadline: mono(from + Math.max(0, expiresAt - at)),
        recheck: () => recheck(order),
        sending(record) {
          begins?.();
          const written = journal.announce(core().executor.sending(id, record, now()));
          if (!written.ok) throw new Error(written.error.message);
          inFlight.add(id);
        },
        lastCheck() {
          const stopped = closed ?? lastCheck();
          if (stopped !== undefined) return stopped;
          const breach = door.send(order);
          if (breach === undefined) return lastCheck(); // counting took time: the switch is what must be asked last
          breaches.set(id, breach);
          return breach.reason;
        },
      };
    },
    ended(id, outcome) {
      inFlight.delete(id);
      if (outcome.kind === "not-sent") door.drop(id);
      const breach = breaches.get(id) ?? door.check();
      breaches.delete(id);
      return breach && { kind: "halt", reason: breach.reason, wayOut: breach.wayOut };
    },
    close(reason) {
      closed ??= reason;
    },
    get closed() {
      return closed;
    },
    inFlight,
  };
}
