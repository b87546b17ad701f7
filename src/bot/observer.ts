// The observer's interface to a running bot; screens, logs and metrics are built on it.

import type { Step } from "../domain/step.ts";
import type { JournalError } from "../journal/journal.ts";
import type { ControlRecord } from "../journal/record.ts";
import type { Engine } from "./engine.ts";
import type { Input } from "./input.ts";
import type { Turn } from "./turn.ts";

/** Receives everything and can change nothing; each function is called after its data is on disk. */
export type BotObserver = {
  /** A new core: at the start, and after each rebuild. Its engine and executor may be read at any time. */
  readonly core?: (core: Engine) => void;
  readonly step?: (step: Step) => void;
  readonly turn?: (turn: Turn, input: Input) => void;
  /** A halt because of the journal itself, which no turn wrote. */
  readonly control?: (record: ControlRecord) => void;
  readonly phase?: (phase: Phase) => void;
  /** A problem that does not stop the bot; the same one may be reported repeatedly. */
  readonly problem?: (code: string, message: string) => void;
  /** A sentence for people. */
  readonly note?: (text: string) => void;
  /** A sentence about something that a person should check. */
  readonly warning?: (text: string) => void;
};

export type Phase =
  /** A live start, until the venue's first answer. */
  | { readonly kind: "waiting" }
  | { readonly kind: "restoring" }
  /** Histories, balances and pairs are read before any decision. */
  | { readonly kind: "reading" }
  /** The strategy waits until the outcome of these requests is known. */
  | { readonly kind: "resolving"; readonly open: number }
  | { readonly kind: "trading" }
  | { readonly kind: "unwritable"; readonly error: JournalError }
  | { readonly kind: "stopping" };
