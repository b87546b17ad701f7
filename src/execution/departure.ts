// What an order, a mint or a rail passes on its way out, whoever carries it: checked once more when its slot opens, recorded as
// sent before a byte leaves, and checked by the switch as the last statement. Synchronous, so that a backtest takes the same way.

import type { PairSymbol } from "../domain/asset.ts";
import { emptyList } from "../domain/empty-list.ts";
import type { Control } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { Result } from "../domain/result.ts";
import type { OrderIntent } from "../domain/step.ts";
import { type Mono, mono } from "../domain/time.ts";
import { classWorth, type MoneyWant, type Outcome, type SendingRecord } from "../exchange/port.ts";
import type { JournalError } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";
import { createExitDoor } from "../risk/exit-door.ts";
import type { Approved } from "../risk/gate.ts";
import { type Approval, type ApprovedMovement, isOrder, type MovementGate } from "../risk/movement-gate.ts";
import type { Breach, Gate, RiskContext } from "../risk/rule.ts";
import type { Executor } from "./executor.ts";
import type { MovementSight } from "./movement-sight.ts";
import { frozenBy, movementFrozenBy } from "./reservation.ts";
import type { AnyReceipt, Moment } from "./submission.ts";

export type DepartureParts = {
  readonly journal: { announce(records: readonly JournalRecord[]): Result<unknown, JournalError> };
  /** Asked each time: after a rebuild they are others. */
  readonly core: () => DepartureCore;
  readonly now: () => Moment;
  /** Where other processes write to the journal: takes in what they did while this waited for its slot. A reason drops it. */
  readonly catchUp?: () => string | undefined;
  /** Kill switch and files on disk: a reason refuses. */
  readonly lastCheck: () => string | undefined;
};

export type DepartureCore = {
  readonly executor: Pick<Executor, "sending" | "freeze"> & { readonly movements: Pick<MovementSight, "listRefusal"> };
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
  /** Approved: it will leave, or end as not sent. Says until when it may wait. */
  expect(approval: Approval): Mono;
  /** What a slot is worth for it: before every read, and among orders the one that earns most now. */
  worthOf(order: Approved): number;
  /** Whether anybody says what orders earn. */
  readonly isValued: boolean;
  /** At its slot: a reason drops it. */
  recheck(approval: Approval): string | undefined;
  /** Puts it on record as sent; throws where that fails. */
  sending(approval: Approval, record: SendingRecord): void;
  /** The last statement before it leaves: a reason refuses. */
  lastCheck(approval: Approval): string | undefined;
  /** The same as hooks for a client. `begins` is told when it is on record as sent. */
  want(approval: Approval, begins?: () => void): MoneyWant;
  /** How it ended; what was sent and is not what was approved stops everything. */
  ended(id: string, outcome: Outcome<AnyReceipt>): Control | undefined;
  /** From now on nothing begins to leave. */
  close(reason: string): void;
  /** Why nothing leaves any more. */
  readonly closed: string | undefined;
  /** What may be out with its bytes, and is not answered yet. */
  readonly inFlight: readonly string[];
}

export function createDepartures(parts: DepartureParts): Departures {
  return new CheckedDepartures(parts);
}

class CheckedDepartures implements Departures {
  private readonly parts: DepartureParts;
  private readonly door = createExitDoor();
  private readonly breaches = new Map<string, Breach>();
  readonly inFlight = emptyList<string>();
  closed: string | undefined = undefined;

  constructor(parts: DepartureParts) {
    this.parts = parts;
  }

  expect(approval: Approval): Mono {
    const { at, mono: from } = this.parts.now();
    if (isOrder(approval)) this.door.approve(approval);
    // Past its lifetime it is dropped by whoever keeps the slots.
    return mono(from + Math.max(0, approval.expiresAt - at));
  }

  want(approval: Approval, begins?: () => void): MoneyWant {
    const want: MoneyWant = {
      class: "order",
      deadline: this.expect(approval),
      recheck: () => this.recheck(approval),
      sending: (record) => {
        begins?.();
        this.sending(approval, record);
      },
      lastCheck: () => this.lastCheck(approval),
    };
    return isOrder(approval) && this.isValued ? { ...want, worth: () => this.worthOf(approval) } : want;
  }

  ended(id: string, outcome: Outcome<AnyReceipt>): Control | undefined {
    this.landed(id);
    if (outcome.kind === "not-sent") this.door.drop(id as ClientOrderId);
    const breach = this.breachOf(id) ?? this.door.check();
    if (breach === undefined) return undefined;
    const { state: _, ...halt } = breach;
    return { kind: "halt", ...halt };
  }

  close(reason: string): void {
    this.closed ??= reason;
  }

  get isValued(): boolean {
    return this.parts.core().engine.gainOf !== undefined;
  }

  /** What led to each of them is spent already. */
  worthOf(order: Approved): number {
    return classWorth.order + Math.max(0, this.parts.core().engine.gainOf?.(order) ?? 0) * 100;
  }

  sending(approval: Approval, record: SendingRecord): void {
    const { journal, core, now } = this.parts;
    const id = idOf(approval);
    const written = journal.announce(core().executor.sending(id, record, now()));
    if (!written.ok) throw new Error(written.error.message);
    this.inFlight.push(id);
  }

  lastCheck(approval: Approval): string | undefined {
    const { lastCheck } = this.parts;
    const stopped = this.closed ?? lastCheck();
    if (stopped !== undefined) return stopped;
    // Of a mint or a rail the executor has said already that it is sent once.
    const breach = isOrder(approval) ? this.door.send(approval) : undefined;
    if (breach === undefined) return lastCheck(); // counting took time: the switch is what must be asked last
    this.breaches.set(idOf(approval), breach);
    return breach.reason;
  }

  /** Hardly ever more than one is in flight. */
  private landed(id: string): void {
    const { inFlight } = this;
    if (inFlight.length === 1 && inFlight[0] === id) {
      inFlight.pop();
      return;
    }
    const place = inFlight.indexOf(id);
    if (place >= 0) inFlight.splice(place, 1);
  }

  private breachOf(id: string): Breach | undefined {
    if (this.breaches.size === 0) return undefined;
    const breach = this.breaches.get(id);
    this.breaches.delete(id);
    return breach;
  }

  recheck(approval: Approval): string | undefined {
    const { core, now, catchUp } = this.parts;
    const dropped = this.closed ?? catchUp?.();
    if (dropped !== undefined) return dropped;
    return isOrder(approval) ? recheckOrder(approval, core(), now()) : recheckMovement(approval, core(), now());
  }
}

function recheckOrder(order: Approved, { gate, engine, executor }: DepartureCore, now: Moment): string | undefined {
  if (now.at > order.expiresAt) return `the decision is ${now.at - order.expiresAt} ms past its lifetime`;
  const listed = engine.instruments.get(order.symbol);
  if (listed === undefined) return `${order.symbol} is not listed any more`;
  const frozen = frozenBy(executor.freeze(now), listed.base, listed.quote);
  return frozen ?? gate.recheck(order, listed, engine.context)?.message;
}

function recheckMovement(
  movement: ApprovedMovement,
  { movements, engine, executor }: DepartureCore,
  now: Moment,
): string | undefined {
  // It may have been approved before somebody else saw another whitelist.
  const unlisted = executor.movements.listRefusal(movement);
  if (unlisted !== undefined) return unlisted;
  return (
    movementFrozenBy(executor.freeze(now), movement) ?? movements.recheck(movement, engine.context, now.at)?.message
  );
}

/** Of its submission. */
export function idOf(approval: Approval): string {
  return isOrder(approval) ? approval.clientOrderId : approval.id;
}
