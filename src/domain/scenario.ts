// The names of the simulated markets.

export const SCENARIO_NAMES = [
  "calm",
  "calibrated",
  "volatile",
  "depeg",
  "outage",
  "one-sided",
  "toxic",
  "blind",
  "demo",
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];
