// Flags of a run with something to trade from its first minute: on the default market an honest taker finds nothing.

export const BUSY = ["--market", "demo", "--from", "2026-01-01"] as const;
