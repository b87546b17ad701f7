// The names by which a configuration asks for a strategy that comes with pegbot. Apart from the strategies, because whoever only
// reads a configuration needs none of them.

export const builtInNames = [
  "peg-arbitrage",
  "reference-taker",
  "rebalancer",
  "twap",
  "virtual-grid",
  "cross-rate",
] as const;

export type BuiltInName = (typeof builtInNames)[number];

export function isBuiltIn(name: string): name is BuiltInName {
  return (builtInNames as readonly string[]).includes(name);
}
