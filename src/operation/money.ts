// Operations that move money have two steps. The preview says what would be sent, after the gate, and the most that it
// may cost; execution names the digest of a preview and an id. Both are one function: what stands before `agree` is the
// preview, and in execution it runs again, so that a worse one is refused.

import type { z } from "zod";
import type { Engine } from "../bot/engine.ts";
import type { AskedOperation, Input } from "../bot/input.ts";
import type { Turn } from "../bot/turn.ts";
import type { Config } from "../config/schema.ts";
import { CommandFailure, refusedFailure } from "../domain/command-failure.ts";
import type { Control, QuoteEvent } from "../domain/event.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import type { Money } from "../domain/money/money.ts";
import type { Quote } from "../domain/quote.ts";
import type { Result } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import type { Refusal } from "../domain/step.ts";
import type { Timers } from "../domain/time.ts";
import type { Exchange, Reading, Want } from "../exchange/port.ts";
import type { Question } from "../execution/dispatch.ts";
import type { Answer } from "../execution/effects.ts";
import type { Moment } from "../execution/request.ts";
import { idOf } from "../execution/send.ts";
import { stopsOf, type TradingState } from "../risk/trading-state.ts";

/** The owner of a key, as an operation that moves money uses it. */
export interface Trader {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly timers: Timers;
  core(): Engine;
  now(): Moment;
  /** Kill file and journal together. */
  standing(): TradingState;
  /** One input, one turn, on disk when it resolves; what the turn sends leaves at once. */
  take(input: Input): Promise<Turn>;
  /** The witness's answer, which the books have taken in; a failure ends the operation. */
  ask(question: Question): Promise<Answer>;
  /** The witness's answer, which the books have not taken in. */
  look(question: Question): Promise<Answer>;
  /** So many records have moved the account since the start. */
  moves(): number;
  /** The key's journal so far, where this one would take its place. */
  replaced(): Promise<Replaced | undefined>;
  /** Makes this journal the key's own. */
  bind(): Promise<void>;
  /** The last price of each pair and source. */
  prices(): readonly QuoteEvent[];
  /** The venue's quotes, which the books have taken in. */
  quotes(want: Want): Promise<Reading<readonly Quote[]>>;
  /** A failure ends the operation. */
  read<T>(what: string, reading: Promise<Reading<T>>): Promise<T>;
  /** Resolves at the first turn after which `test` gives a value; with undefined when `over` is aborted. */
  until<T>(test: () => T | undefined, over: AbortSignal): Promise<T | undefined>;
}

export type Replaced = {
  readonly path: string;
  readonly chainId: string;
  readonly standing: TradingState;
  /** What stands there, as this journal must take it. */
  readonly stops: readonly Control[];
  /** Whether its records could be read; its kill file counts in any case. */
  readonly isRead: boolean;
};

/** Needs a further word of the person, or its flag. */
export type Caveat = { readonly flag: string; readonly text: string; readonly word: string };

/** What a person agrees to before an operation moves money. */
export type Agreement = {
  /** What a person types. */
  readonly word: string;
  /** To be the same in execution. */
  readonly sent: Readonly<Record<string, string>>;
  /** To be no more in execution. */
  readonly worst: readonly Money[];
  readonly caveats: readonly Caveat[];
  /** For a person, in addition to what is sent: plain JSON. */
  readonly shown?: unknown;
  /** What is carried out as it was shown, and not made anew in execution. */
  readonly held?: unknown;
};

export type Asking = {
  readonly by: string;
  /** In execution: what the agreement holds, if its preview was this owner's. */
  readonly held?: unknown;
  /** Aborted when the caller stops waiting. */
  readonly gone: AbortSignal;
  /** A line about the progress. */
  tell(text: string): void;
  /** Ends a preview here. In execution it returns what was agreed, with the mark for the journal. */
  agree(found: Agreement): Promise<{ readonly sent: Agreement["sent"]; readonly asked: AskedOperation | undefined }>;
};

export type Ended = {
  readonly exit: ExitCode;
  /** Of the order, mint or rail. */
  readonly id: string;
  readonly outcome: string;
  readonly text: string;
  /** For --json, in place of the three. */
  readonly json?: object | undefined;
};

export type MoneyOperation<I = unknown> = {
  readonly name: string;
  readonly sentence: string;
  readonly scope: "trade";
  /** `restored`: it begins before the venue was compared with the books, also where that would refuse a start. */
  readonly begins?: "restored";
  readonly input: z.ZodType<I>;
  /** The flags that confirm a caveat. */
  readonly caveats?: Readonly<Record<string, string>>;
  readonly act: (trader: Trader, input: I, asking: Asking) => Promise<Ended>;
  /** How the request of an id that is known already stands, or ends; absent where the books refuse a second time. */
  readonly ended?: (trader: Trader, request: string, input: I, asking: Asking) => Promise<Ended>;
};

export function moneyOperation<I>(entry: MoneyOperation<I>): MoneyOperation {
  return entry as unknown as MoneyOperation;
}

/** Throws if a stop stands in kill file or journal, with the way out. */
export function requireActive(trader: Pick<Trader, "standing">): void {
  const stop = stopBy(trader.standing());
  if (stop !== undefined) throw stop;
}

export function stopBy(standing: TradingState): CommandFailure | undefined {
  const { state, reason, wayOut, by } = standing;
  if (state !== "HALTED") return undefined;
  const more = stopsOf(standing).slice(1);
  const also = more.length === 0 ? "" : `; also ${more.map((stop) => `${stop.state}: ${stop.reason}`).join("; ")}`;
  return new CommandFailure(
    exitCode.halted,
    `${state} by ${printable(by)}: ${reason}${also}; nothing was sent, for that needs ACTIVE or REDUCED`,
    `way out: ${wayOut}`,
  );
}

/** The id of what the turn sends; throws why it sends nothing. */
export function sentBy(trader: Pick<Trader, "standing">, { sends: [approved], refusal }: Turn): string {
  if (approved !== undefined) return idOf(approved);
  if (refusal !== undefined) throw ruledOut(refusal);
  requireActive(trader);
  throw refused("it was not decided on");
}

export function ruleText({ rule, message }: Refusal): string {
  return rule === "" ? printable(message, 500) : `${rule}: ${printable(message, 500)}`;
}

export function ruledOut(...why: readonly Refusal[]): CommandFailure {
  return refusedFailure(`refused: ${why.map(ruleText).join("; ")}; nothing was sent`);
}

function refused(why: string): CommandFailure {
  return refusedFailure(`${printable(why, 500)}; nothing was sent`);
}

export function orRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw refused(result.error);
}

/** Undefined refuses nothing. */
export function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw refused(why);
}
