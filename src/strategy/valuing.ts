// What an asset is worth in another by fair values, over one pair or two that meet in a third asset. Where a price on the way is
// missing there is no value.

import type { ViewBase } from "./view.ts";

type Seen = Pick<ViewBase<unknown, unknown>, "fairOf" | "balances">;

export function valueIn(view: Seen, asset: string, currency: string): number | undefined {
  if (asset === currency) return 1;
  const direct = hop(view, asset, currency);
  if (direct !== undefined) return direct;
  for (const { asset: middle } of view.balances) {
    const first = middle === asset || middle === currency ? undefined : hop(view, asset, middle);
    const second = first === undefined ? undefined : hop(view, middle, currency);
    if (first !== undefined && second !== undefined) return first * second;
  }
  return undefined;
}

function hop({ fairOf }: Seen, from: string, to: string): number | undefined {
  const inverse = fairOf(`${to}/${from}`);
  return fairOf(`${from}/${to}`) ?? (inverse === undefined ? undefined : 1 / inverse);
}
