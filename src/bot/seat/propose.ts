// The two helpers of a view. They only fill in a form: whether it makes sense is decided when it comes back.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Side } from "../../domain/order.ts";
import type { Proposal } from "../../domain/step.ts";
import type { Ask } from "../../strategy/view.ts";
import { mayBeMisspelt } from "./proposal-names.ts";

export function buy(symbol: string, ask: Ask): Proposal {
  return proposal("buy", symbol, ask);
}

export function sell(symbol: string, ask: Ask): Proposal {
  return proposal("sell", symbol, ask);
}

function proposal(side: Side, symbol: string, ask: Ask): Proposal {
  const { limit, size, reason, lifetimeMs } = ask;
  // What was given under other names is told when it comes back.
  if (limit === undefined || size === undefined || reason === undefined || mayBeMisspelt(ask))
    return { ...ask, symbol: symbol as PairSymbol, side, lifetimeMs };
  return { symbol: symbol as PairSymbol, side, limit, size, reason, lifetimeMs };
}
