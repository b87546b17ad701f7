// What a request of a conversion has moved, once it has ended: an order, a mint, or a payment that was asked for on a rail.

import { unreachable } from "../../domain/invariant.ts";
import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import { Money } from "../../domain/money/money.ts";
import type { Fill } from "../../domain/order.ts";
import { isExpected } from "../../execution/payments.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanMove } from "../../journal/record.ts";
import { assetOf, type HoldingName } from "../plan/holding.ts";
import { moneyOfValue, valueIn } from "../plan/route.ts";
import type { Hands } from "../rebalancer/parts.ts";

type End = { readonly move: PlanMove; readonly text: string; readonly odd?: string | undefined };

/** Only a payment of the very amount that was asked for lets the conversion go on by itself. */
function paid(move: PlanMove, { executor, books }: Hands): End | "gone" | undefined {
  const fate = executor.treasury.payments.fateOf(move.request);
  switch (fate.kind) {
    case "awaited":
    case "under-way":
      return undefined;
    case "unknown":
      return "gone";
    case "given-up":
      return { ...nothing(move, fate.why), odd: `a payment of ${move.takes} was given up: ${fate.why}` };
    case "ended": {
      const [source, sink] = [holdingIn(move.takes), holdingIn(move.brings)];
      const took = Money.of(fate.took, assetOf(source));
      if (took.isZero()) return { ...nothing(move, fate.how), odd: `${fate.payment}: ${fate.how}` };
      const end = moved(move, took, Money.of(fate.brought, assetOf(sink)), books.pricing);
      const isAsked = `${took} ${source}` === move.takes;
      return {
        ...end,
        odd: isAsked ? undefined : `${fate.payment} was of ${took} ${source}, asked for were ${move.takes}`,
      };
    }
    default:
      return unreachable(fate);
  }
}

/** What an ended request has moved; undefined while it may move. */
export function endOf(move: PlanMove, hands: Hands): End | "gone" | undefined {
  if (isExpected(move.request)) return paid(move, hands);
  const request = hands.executor.get(move.request);
  if (request === undefined) return "gone";
  const { state } = request;
  switch (state.kind) {
    case "intended":
    case "sending":
    case "unknown":
      return undefined;
    case "rejected":
      return nothing(move, `rejected: ${state.message}`);
    case "not-sent":
    case "released":
      return nothing(move, state.reason);
    default:
      return happened(request, state.receipt, move, hands);
  }
}

function happened(
  { kind, request, state }: MoneyRequest,
  receipt: unknown,
  move: PlanMove,
  { books }: Hands,
): End | undefined {
  if (kind === "order") {
    const { bought, sold, fee } = receipt as Fill;
    const took = fee.asset === sold.asset ? sold.plus(fee) : sold;
    const brought = fee.asset === bought.asset ? bought.minus(fee) : bought;
    return moved({ ...move, fee: `${fee} ${fee.asset}` }, took, brought, books.pricing);
  }
  if (kind === "rail" || state.kind !== "settled") return undefined;
  if (state.isReturned === true) return nothing(move, "the venue returned it");
  const { spentMax, quantity, asset } = request as MintIntent;
  return moved(move, (receipt as MintRecord).spent ?? spentMax, quantity.of(asset), books.pricing);
}

function moved(move: PlanMove, took: Money, brought: Money, pricing: Hands["books"]["pricing"]): End {
  const { currency } = pricing;
  const [value, back] = [took, brought].map((money) => valueIn(money, (asset) => pricing.rate(asset)));
  const amounts = { takes: `${took} ${holdingIn(move.takes)}`, brings: `${brought} ${holdingIn(move.brings)}` };
  const valued =
    value === undefined || back === undefined
      ? { value: move.value, lost: move.lost }
      : { value: moneyOfValue(value, currency), lost: moneyOfValue(value - back, currency) };
  return { move: { ...move, ...amounts, ...valued }, text: `${amounts.takes} became ${amounts.brings}` };
}

function nothing(move: PlanMove, why: string): End {
  const none = (text: string): string => `${Money.zero(assetOf(holdingIn(text)))} ${holdingIn(text)}`;
  const zero = Money.zero(move.value.asset);
  const amounts = { takes: none(move.takes), brings: none(move.brings), value: zero, lost: zero };
  return { move: { ...move, ...amounts }, text: `nothing was moved: ${why}` };
}

function holdingIn(text: string): HoldingName {
  return text.split(" ")[1] as HoldingName;
}
