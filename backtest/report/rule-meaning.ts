// What the rules that refuse proposals are about, in a few words for a table; docs/RISK.md and docs/STRATEGY.md have the rest.

const MEANINGS: Readonly<Record<string, string>> = {
  PR01: "not a proposal",
  PR02: "symbol not listed or not online",
  PR03: "limit price",
  PR04: "size",
  PR05: "no reason given",
  PR06: "lifetime",
  PR07: "too many proposals of one event",
  RC01: "value of one order",
  RC02: "base units of one order",
  RC03: "value held of one asset",
  RC04: "value held of all assets",
  RC05: "loss of the day, or holdings without a price",
  RC06: "loss from the highest equity, or holdings without a price",
  RC07: "limit too far from fair value",
  RC07H: "limit so far from fair value that it must be a mistake",
  RC08: "no fair value, or its prices too old",
  RC09: "sources of fair value too few or too far apart",
  RC10: "orders in a minute or a day",
  RC11: "value traded in an hour or a day",
  RC12: "rejections in a row",
  RC13: "losing fills in a row",
  RC14: "the same order again",
  RC15: "trading back too soon",
  RC16: "orders of unknown outcome",
  RC17: "more than may be spent",
  RC18: "fees",
  RC19: "pair that may not be traded",
  RC23: "the kill switch",
  RC24: "the bot was stopped or reduced",
  RC25: "no heartbeat of an operator",
  RC28: "decision too old",
  RC29: "size until enough orders have filled",
  RC35: "selling a coin that is off its peg",
  RC34: "value of one coin, from what a de-peg may cost",
  RC33: "something of the pair was frozen",
};

/** Undefined for a code that nobody wrote down: a journal may be of another version. */
export function ruleMeaning(code: string): string | undefined {
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
}
