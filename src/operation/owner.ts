// What an operation may use of the owner of a key.

import type { z } from "zod";
import type { Quote } from "../domain/quote.ts";
import type { Result } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import type { Exchange } from "../exchange/port.ts";
import type { TradingState } from "../risk/trading-state.ts";
import type { ShownFill, Status } from "../watch/status.ts";
import type { Approving, approved, Declining, declined, Proposing, proposed, WaitingPlan } from "./plan.ts";

export type Asker = {
  /** The author in the journal. */
  readonly by: string;
  /** The name of the token that the request carried; a request through the socket carries none. */
  readonly token: string | undefined;
};

type ChangedLimit = {
  readonly name: string;
  readonly from: string | number | null;
  readonly to: string | number | null;
  readonly is: "tighter" | "wider" | "unordered";
};

/** `tighter` was taken over, `refused` needs a restart. */
export type ReloadedLimits = { readonly tighter: readonly ChangedLimit[]; readonly refused: readonly ChangedLimit[] };

export interface Owner {
  readonly model: { status(): Status; fills(): readonly ShownFill[] };
  /** Absent where the venue is not opened. */
  readonly exchange?: Exchange;
  /** The last of each pair and source. */
  prices?(): readonly Quote[];
  /** Stops everything that moves money until a person resumes; returns the problem if part of it failed. */
  halt(reason: string, by: string): string | undefined | Promise<string | undefined>;
  /** Confirms that the operator still wants the bot to send; returns when it counted, or the obstacle. */
  heartbeat(by: string): Promise<Result<Millis>>;
  /** Lifts the stops that the person saw, named by their reasons; returns the state afterwards, or the obstacle. */
  resume(reason: string, by: string, seen: readonly string[]): Promise<Result<TradingState>>;
  /** Takes over what the configuration has tightened; absent without a file that could be read again. */
  limits?(by: string): Result<ReloadedLimits>;
  /** Plans that can still be approved. */
  plans(): Promise<Result<{ readonly at: Millis; readonly plans: readonly WaitingPlan[] }>>;
  /** A plan of one step, for people to approve; returns it as it was recorded, or the obstacle. */
  propose(wish: Proposing, asker: Asker): Promise<Result<z.output<typeof proposed>>>;
  /** Approves a plan as the person saw it; returns its status afterwards, or the obstacle. */
  approve(wish: Approving, asker: Asker): Promise<Result<Omit<z.output<typeof approved>, "id">>>;
  /** Declines a plan; returns the name of the person and the consequence, or the obstacle. */
  decline(wish: Declining, asker: Asker): Promise<Result<Omit<z.output<typeof declined>, "id">>>;
}
