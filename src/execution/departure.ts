// What an order, a mint or a rail passes on its way out, whoever carries it: checked once more when its slot opens, recorded as
// sent before a byte leaves, and checked by the switch as the last statement. Synchronous, so that a backtest takes the same way.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { Result } from "../domain/result.ts";
import type { OrderIntent } from "../domain/step.ts";
import { mono } from "../domain/time.ts";
import { classWorth, type MoneyWant, type Outcome } from "../exchange/port.ts";
import type { JournalError } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";
import { createExitDoor } from "../risk/exit-door.ts";
import type { Approved } from "../risk/gate.ts";
import { type Approval, type ApprovedMovement, isOrder, type MovementGate } from "../risk/movement-gate.ts";
import type { Breach, Gate, RiskContext } from "../risk/rule.ts";
import type { Executor } from "./executor.ts";
import type { AnyReceipt, Moment } from "./submission.ts";

export type DepartureParts = {
  readonly journal: { announce(records: readonly JournalRecord[]): Result<unknown, JournalError> };
  /** Asked each time: after a rebuild they are others. */
  readonly core: () => DepartureCore;
  readonly now: () => Moment;
  /** Kill switch and files on disk: a reason refuses. */
  readonly lastCheck: () => string | undefined;
};

export type DepartureCore = {
  readonly executor: Executor;
  readonly gate: Pick<Gate<Approved>, "recheck">;
  readonly movements: Pick<MovementGate, "recheck">;
  readonly engine: {
    readonly context: RiskContext;
    readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
    /** What the order would earn as things stand, in the currency of the limits; undefined when nobody says. */
    readonly gainOf?: ((order: OrderIntent) => number | undefined) | undefined;
  };
};

export interface Departures {
  /** The checks of one of them. `begins` is told when it is on record as sent. */
  want(approval: Approval, begins?: () => void): MoneyWant;
  /** How it ended; what was sent and is not what was approved stops everything. */
  ended(id: string, outcome: Outcome<AnyReceipt>): Control | undefined;
  /** From now on nothing begins to leave. */
  close(reason: string): void;
  /** Why nothing leaves any more. */
  readonly closed: string | undefined;
  /** What may be out with its bytes, and is not answered yet. */
  readonly inFlight: ReadonlySet<string>;
}

export function createDepartures({ journal, core, now, lastCheck }: DepartureParts): Departures {
  const door = createExitDoor();
  const inFlight = new Set<string>();
  const breaches = new Map<string, Breach>();
  let closed: string | undefined;

  function recheck(order: Approved): string | undefined {
    const { gate, engine } = core();
    const moment = now();
    if (closed !== undefined) return closed;
    if (moment.at > order.expiresAt) return `the decision is ${moment.at - order.expiresAt} ms past its lifetime`;
    const listed = engine.instruments.get(order.symbol);
    if (listed === undefined) return `${order.symbol} is not listed any more`;
    const { base, quote } = listed;
    return frozen([base, quote], moment) ?? gate.recheck({ ...order, instrument: listed }, engine.context)?.message;
  }

  function recheckMovement(movement: ApprovedMovement): string | undefined {
    const { movements, engine } = core();
    const moment = now();
    if (closed !== undefined) return closed;
    const assets = movement.kind === "mint" ? [movement.mint.asset, movement.mint.spentMax.asset] : [];
    return frozen(assets, moment) ?? movements.recheck(movement, engine.context, moment.at)?.message;
  }

  function frozen(assets: readonly Asset[], moment: Moment): string | undefined {
    const freeze = core().executor.freeze(moment);
    if (freeze.kind === "everything") return freeze.reason;
    return freeze.kind === "assets" && assets.some((asset) => freeze.assets.includes(asset))
      ? freeze.reason
      : undefined;
  }

  /** Before every read, and among orders the one that earns most now: what led to each of them is spent already. */
  function worthOf(order: Approved): number {
    return classWorth.order + Math.max(0, core().engine.gainOf?.(order) ?? 0) * 100;
  }

  return {
    want(approval, begins) {
      const { expiresAt } = approval;
      const id = idOf(approval);
      const { at, mono: from } = now();
      if (isOrder(approval)) door.approve(approval);
      const want: MoneyWant = {
        class: "order",
        // Past its lifetime it is dropped by whoever keeps the slots.
        deadline: mono(from + Math.max(0, expiresAt - at)),
        recheck: () => (isOrder(approval) ? recheck(approval) : recheckMovement(approval)),
        sending(record) {
          begins?.();
          const written = journal.announce(core().executor.sending(id, record, now()));
          if (!written.ok) throw new Error(written.error.message);
          inFlight.add(id);
        },
        lastCheck() {
          const stopped = closed ?? lastCheck();
          if (stopped !== undefined) return stopped;
          // Of a mint or a rail the executor has said already that it is sent once.
          const breach = isOrder(approval) ? door.send(approval) : undefined;
          if (breach === undefined) return lastCheck(); // counting took time: the switch is what must be asked last
          breaches.set(id, breach);
          return breach.reason;
        },
      };
      const says = isOrder(approval) && core().engine.gainOf !== undefined;
      return says ? { ...want, worth: () => worthOf(approval) } : want;
    },
    ended(id, outcome) {
      inFlight.delete(id);
      if (outcome.kind === "not-sent") door.drop(id as ClientOrderId);
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

/** Of its submission. */
export function idOf(approval: Approval): string {
  return isOrder(approval) ? approval.clientOrderId : approval.id;
}
