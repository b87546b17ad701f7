// The names of the built-in strategies, apart from the strategies themselves so that reading a configuration loads none
// of them.

export const builtInNames = [
  "peg-arbitrage",
  "reference-taker",
  "rebalancer",
  "twap",
  "virtual-grid",
  "cross-rate",
  "blind-taker",
] as const;

export type BuiltInName = (typeof builtInNames)[number];

export function isBuiltIn(name: string): name is BuiltInName {
  return (builtInNames as readonly string[]).includes(name);
}
