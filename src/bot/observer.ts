// What people and machines that look on are told of a running bot. Screens, logs and metrics are made of this.

import type { Step } from "../domain/step.ts";
import type { JournalError } from "../journal/journal.ts";
import type { ControlRecord } from "../journal/record.ts";
import type { Input } from "./trading-core/input.ts";
import type { TradingCore } from "./trading-core/trading-core.ts";
import type { Turn } from "./trading-core/turn.ts";

/** Told of everything, able to change nothing; each is called after what it is told is on disk. */
export type BotObserver = {
  /** A new core: at the start, and after each rebuild. Its engine and executor may be read at any time. */
  readonly core?: (core: TradingCore) => void;
  readonly step?: (step: Step) => void;
  readonly turn?: (turn: Turn, input: Input) => void;
  /** A change of state that no turn wrote: a person's `resume` or a stop that a command came to, which are other processes; a halt because of the journal itself. */
  readonly control?: (record: ControlRecord) => void;
  /** A movement that another process heard of and wrote down. `isTold`: a note says no less of it. */
  readonly moved?: (step: Step, isTold: boolean) => void;
  /** What another process decided, an order that it gave, or what became of it: shown with the bot's own, and not reported here. */
  readonly others?: (step: Step) => void;
  readonly phase?: (phase: Phase) => void;
  /** What went wrong on the way and does not stop the bot; the same may be told again and again. */
  readonly problem?: (code: string, message: string) => void;
  /** In a sentence; also that another process registered a rail, froze rails or let them go, or that a person answered a plan. */
  readonly note?: (text: string) => void;
  /** In a sentence, what a person should look at. */
  readonly warning?: (text: string) => void;
};

export type Phase =
  /** A live start, until the venue has answered once. */
  | { readonly kind: "waiting" }
  | { readonly kind: "restoring" }
  /** Histories, balances and pairs, before anything is decided. */
  | { readonly kind: "reading" }
  /** The strategy waits until these are known to have happened or not. */
  | { readonly kind: "resolving"; readonly open: number }
  | { readonly kind: "trading" }
  | { readonly kind: "unwritable"; readonly error: JournalError }
  | { readonly kind: "stopping" };
