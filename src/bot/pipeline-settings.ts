// The intervals and timeouts of the bot, separate from the pipeline for callers with another kind of clock.

import { type PollSettings, pollDefaults } from "./effects/poll-schedule.ts";

export type PipelineSettings = {
  /** The time allowed for the request in flight and the last record after a stop. */
  readonly stopMsMax: number;
  /** The minimum interval between two records of a strategy's state. */
  readonly safePointMs: number;
  /** How long a start waits for the first quotes before the strategy runs without them; 0: not at all. */
  readonly firstQuotesMsMax: number;
  /** The interval of time inputs, at which deadlines are checked. */
  readonly tickMs: number;
  /** The retry interval while the journal cannot be written. */
  readonly retryMs: number;
  readonly polls: PollSettings;
};

export const pipelineDefaults: PipelineSettings = {
  stopMsMax: 5_000,
  safePointMs: 10_000,
  firstQuotesMsMax: 10_000,
  tickMs: 1_000,
  retryMs: 1_000,
  polls: pollDefaults,
};
