// How often the bot does what it does by the clock, and how long it waits: apart from the pipeline, for who has a clock of
// another kind.

import { type PollSettings, pollDefaults } from "./effects/poll-schedule.ts";

export type PipelineSettings = {
  /** How long the one request in flight, and the last record, may take after a stop. */
  readonly stopMsMax: number;
  /** A strategy's state is recorded at most this often. */
  readonly safePointMs: number;
  /** How long a start waits for the first quotes before the strategy runs without them; 0: not at all. */
  readonly firstQuotesMsMax: number;
  /** How often time passes: deadlines are looked at, and what others wrote is taken over. */
  readonly tickMs: number;
  /** After a journal that could not be written. */
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
