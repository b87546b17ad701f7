// The flow of the running bot, in one place: what is read, fed and ordered becomes inputs, inputs become turns of the
// desk, turns are written, and only then is anything sent or asked. Files, signals and screens are not known here.

import type { Observable, SchedulerLike } from "rxjs";
import type { Control, QuoteEvent } from "../domain/event.ts";
import type { Step } from "../domain/step.ts";
import type { Clock } from "../domain/time.ts";
import type { Exchange } from "../exchange/port.ts";
import type { Submission } from "../execution/submission.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import type { Standing } from "../risk/standing.ts";
import type { Strategy } from "../strategy/prepare.ts";
import type { Core, Desk, Input, Turn } from "./desk.ts";

export type PipelineParts = {
  readonly exchange: Exchange;
  readonly journal: Journal;
  /** Empty engine, executor and gate around a strategy: at the start, and again when memory is ahead of the disk. */
  readonly makeCore: (strategy: Strategy) => Core;
  readonly strategy: Strategy;
  /** Each takes the seat at the next safe point. */
  readonly strategies$: Observable<Strategy>;
  /** Prices from elsewhere; what fails there does not end the bot. */
  readonly references$: Observable<QuoteEvent>;
  /** Subscribed to before anything else: what it says at once counts before the first decision. */
  readonly control$: Observable<Control>;
  /** The last statement before the socket: kill switch and files on disk. A reason refuses. */
  readonly lastCheck: () => string | undefined;
  /** The state after a turn that changed it; durable when this returns. */
  readonly latch: (standing: Standing) => void;
  /** Whether the process that wrote under this name is no more. */
  readonly isGone: (writer: string) => boolean;
  readonly clock: Clock;
  readonly scheduler: SchedulerLike;
  readonly watch: Watcher;
  readonly settings: PipelineSettings;
};

/** Told of everything, able to change nothing; each is called after what it is told is on disk. */
export type Watcher = {
  /** A new desk: at the start, and after each rebuild. Its engine and executor may be read at any time. */
  readonly desk?: (desk: Desk) => void;
  readonly step?: (step: Step) => void;
  readonly turn?: (turn: Turn, input: Input) => void;
  /** What the bot is doing besides trading: for people, in a sentence. */
  readonly phase?: (phase: Phase) => void;
};

export type Phase =
  | { readonly kind: "restoring" }
  | { readonly kind: "reading" }
  /** First start: the venue's balances were taken over as the opening entry. */
  | { readonly kind: "opened"; readonly message: string }
  | { readonly kind: "resolving"; readonly open: number }
  | { readonly kind: "trading" }
  | { readonly kind: "unwritable"; readonly error: JournalError }
  | { readonly kind: "problem"; readonly code: string; readonly message: string }
  | { readonly kind: "stopping" };

export type PipelineSettings = {
  /** How long the one request in flight may take to end after a stop. */
  readonly stopMsMax: number;
  /** A strategy's state is recorded at most this often. */
  readonly safePointMs: number;
  /** How soon what others wrote is taken over. */
  readonly tailMs: number;
};

export type Ending = {
  /** `refused`: reconcile or the journal did not let it start. */
  readonly kind: "stopped" | "refused";
  readonly reason: string;
  /** May have happened, or was answered and is not confirmed yet. */
  readonly open: readonly Submission[];
  readonly standing: Standing | undefined;
  /** The request that was given up at the deadline, if any. */
  readonly abandoned: boolean;
};

export function runPipeline(_parts: PipelineParts, _stop: AbortSignal): Promise<Ending> {
  throw new Error("the pipeline is being laid");
}
