// The checks before the socket, shared by the bot, commands and backtests. A request that moves money is checked again
// when its slot opens, recorded before a byte leaves, checked against the kill switch as the last statement, and sent
// once.

import type { PairSymbol } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { Result } from "../domain/result.ts";
import { DAY_MS, type Mono, millis, mono } from "../domain/time.ts";
import { ABORTED } from "../exchange/budget/scheduler.ts";
import type { MoneyWant, Outcome, SendingRecord } from "../exchange/port.ts";
import type { JournalError } from "../journal/journal.ts";
import type { JournalRecord } from "../journal/record.ts";
import type { Approved } from "../risk/gate.ts";
import type { Breach, Gate, RiskContext } from "../risk/rule.ts";
import { UnspentApprovals } from "../risk/sent-equals-approved.ts";
import {
  type Approval,
  type ApprovedMovement,
  isOrder,
  type MovementGate,
  type MovementWish,
} from "../risk/treasury-gate.ts";
import { frozenBy, movementFrozenBy } from "./effects.ts";
import type { Executor, TreasuryRequests } from "./executor.ts";
import type { AnyReceipt, Moment } from "./request.ts";

export type PreSendParts = {
  readonly journal: { announce(records: readonly JournalRecord[]): Result<unknown, JournalError> };
  /** A function, because a rebuild replaces the core. */
  readonly core: () => PreSendCore;
  readonly now: () => Moment;
  /** The kill switch and files on disk; a returned reason refuses. */
  readonly lastCheck: () => string | undefined;
};

export type PreSendCore = {
  readonly executor: Pick<Executor, "sending" | "freeze"> & {
    readonly treasury: Pick<TreasuryRequests, "frozenRefusal">;
  };
  readonly gate: Pick<Gate<Approved>, "recheck">;
  readonly movements: Pick<MovementGate, "recheck">;
  readonly books: RiskContext & { readonly instruments: ReadonlyMap<PairSymbol, Instrument> };
};

export type PreSendChecks = Pick<SyncPreSend, keyof SyncPreSend>;

export function createPreSendChecks(parts: PreSendParts): PreSendChecks {
  return new SyncPreSend(parts);
}

class SyncPreSend {
  private readonly parts: PreSendParts;
  private readonly approvals = new UnspentApprovals();
  private readonly breaches = new Map<string, Breach>();
  readonly inFlight = [] as string[];
  closed: string | undefined = undefined;

  constructor(parts: PreSendParts) {
    this.parts = parts;
  }

  expect(approval: Approval): Mono {
    const { at, mono: from } = this.parts.now();
    if (isOrder(approval)) this.approvals.add(approval);
    // The scheduler drops it once its lifetime is over.
    return mono(from + Math.max(0, approval.expiresAt - at));
  }

  /** `signal`: the caller may give it up until bytes leave. */
  want(approval: Approval, begins?: () => void, signal?: AbortSignal): MoneyWant {
    return {
      class: "order",
      deadline: this.expect(approval),
      signal,
      recheck: () => this.recheck(approval),
      sending: (record) => {
        begins?.();
        this.sending(approval, record);
      },
      lastCheck: (body) => (signal?.aborted ? ABORTED : this.lastCheck(approval, body)),
    };
  }

  ended(id: string, outcome: Outcome<AnyReceipt>): Control | undefined {
    this.landed(id);
    if (outcome.kind === "not-sent") this.approvals.drop(id as ClientOrderId);
    const breach = this.breachOf(id);
    if (breach === undefined) return undefined;
    const { state: _, ...halt } = breach;
    return { kind: "halt", ...halt };
  }

  close(reason: string): void {
    this.closed ??= reason;
  }

  sending(approval: Approval, record: SendingRecord): void {
    const { journal, core, now } = this.parts;
    const id = idOf(approval);
    const written = journal.announce(core().executor.sending(id, record, now()));
    if (!written.ok) throw new Error(written.error.message);
    this.inFlight.push(id);
  }

  lastCheck(approval: Approval, body?: string): string | undefined {
    const { lastCheck } = this.parts;
    const stopped = this.closed ?? lastCheck();
    if (stopped !== undefined) return stopped;
    // The executor has already checked that a mint or a rail is sent once.
    const breach = isOrder(approval) ? this.approvals.spend(approval, body) : undefined;
    if (breach === undefined) return lastCheck(); // counting took time: the switch is what must be asked last
    this.breaches.set(idOf(approval), breach);
    return breach.reason;
  }

  private landed(id: string): void {
    const place = this.inFlight.indexOf(id);
    if (place >= 0) this.inFlight.splice(place, 1);
  }

  private breachOf(id: string): Breach | undefined {
    if (this.breaches.size === 0) return undefined;
    const breach = this.breaches.get(id);
    this.breaches.delete(id);
    return breach;
  }

  recheck(approval: Approval): string | undefined {
    const { core, now } = this.parts;
    if (this.closed !== undefined) return this.closed;
    return isOrder(approval) ? recheckOrder(approval, core(), now()) : recheckMovement(approval, core(), now());
  }
}

function recheckOrder(order: Approved, { gate, books, executor }: PreSendCore, now: Moment): string | undefined {
  if (now.at > order.expiresAt) return `the decision is ${now.at - order.expiresAt} ms past its lifetime`;
  const listed = books.instruments.get(order.symbol);
  if (listed === undefined) return `${order.symbol} is not listed any more`;
  const frozen = frozenBy(executor.freeze(now), listed.base, listed.quote);
  return frozen ?? gate.recheck(order, listed, books)?.message;
}

function recheckMovement(
  movement: ApprovedMovement,
  { movements, books, executor }: PreSendCore,
  now: Moment,
): string | undefined {
  // A changed whitelist may have been read since the approval.
  const unlisted = executor.treasury.frozenRefusal(movement);
  if (unlisted !== undefined) return unlisted;
  return movementFrozenBy(executor.freeze(now), movement) ?? movements.recheck(movement, books, now.at)?.message;
}

type Judges = {
  readonly executor: Pick<Executor, "freeze"> & { readonly treasury: Pick<TreasuryRequests, "refusal" | "mintsSince"> };
  readonly movements: MovementGate;
  readonly books: RiskContext;
};

/** The verdict on a mint or rail now, by requests in flight, freezes and the gate. Records and reserves nothing. */
export function judgeMovement(wish: MovementWish, { executor, movements, books }: Judges, now: Moment) {
  const { treasury } = executor;
  const busy = treasury.refusal(wish);
  const message = busy ?? movementFrozenBy(executor.freeze(now), wish);
  if (message === undefined) return movements.review(wish, books, treasury.mintsSince(millis(now.at - DAY_MS)));
  const rule = busy === undefined ? "RM08" : "RM07";
  const refusal = { rule, limit: "none of it in doubt or under way", value: wish.kind, message };
  return { kind: "refused", refusal } as const;
}

export function idOf(approval: Approval): string {
  return isOrder(approval) ? approval.clientOrderId : approval.id;
}
