// The exit codes of the program. Scripts rely on these numbers: they never change their meaning.

export const exitCode = {
  done: 0,
  failed: 1,
  /** Bad usage or a bad configuration. */
  usage: 2,
  /** Refused by the venue or by risk. */
  refused: 3,
  /** Outcome unknown: money may have moved. */
  unknown: 4,
  /** Ended or refused while HALTED. */
  halted: 5,
  /** No suitable runtime; only the launcher uses it. */
  noRuntime: 78,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
