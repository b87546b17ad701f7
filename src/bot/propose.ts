// The two helpers of a view. They only fill in a form: whether it makes sense is decided when it comes back.

import type { PairSymbol } from "../domain/asset.ts";
import type { Side } from "../domain/order.ts";
import type { Proposal } from "../domain/step.ts";
import type { Ask } from "../strategy/view.ts";

export function buy(symbol: string, ask: Ask): Proposal {
  return proposal("buy", symbol, ask);
}

export function sell(symbol: string, ask: Ask): Proposal {
  return proposal("sell", symbol, ask);
}

function proposal(side: Side, symbol: string, { limit, size, reason, lifetimeMs }: Ask): Proposal {
  return { symbol: symbol as PairSymbol, side, limit, size, reason, lifetimeMs };
}
