// The names of the built-in strategies, apart from the strategies themselves so that reading a configuration loads none
// of them.

export const builtInNames = ["peg-arbitrage", "reference-taker", "twap", "blind-taker", "hold"] as const;

export type BuiltInName = (typeof builtInNames)[number];

export function isBuiltIn(name: string): name is BuiltInName {
  return (builtInNames as readonly string[]).includes(name);
}

/** What a name that is built in no more says when it is asked for. */
export function removedText(name: string): string | undefined {
  if (name === "rebalancer" || name === "virtual-grid")
    return `${name} is an example now: copy strategies/${name}.ts and give the path of the copy`;
  return name === "cross-rate" ? "cross-rate was removed: at the venue's prices it never traded" : undefined;
}
