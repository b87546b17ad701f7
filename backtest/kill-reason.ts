// The simulated venue knows why it killed an order, and tells it here for the record; the bot is not told.

import type { OrderIntent } from "../src/domain/step.ts";
import type { VenueCalls } from "../src/simulator/core/calls.ts";
import { NOT_REACHED } from "../src/simulator/core/order-rule.ts";
import { DEFAULT_SETTINGS } from "../src/simulator/core/settings.ts";

type Reason = "killed-price" | "killed-depth";

export function withKillReasons(venue: VenueCalls): {
  readonly venue: VenueCalls;
  readonly killOf: (intent: OrderIntent) => Reason | undefined;
} {
  const reasons = new Map<string, Reason>();
  const placeOrder: VenueCalls["placeOrder"] = (key, order, moment) => {
    const answer = venue.placeOrder(key, order, moment);
    const error = answer.ok && answer.value.kind === "done" ? answer.value.order.error : undefined;
    if (error?.code === DEFAULT_SETTINGS.fokErrorCode)
      reasons.set(order.clientOrderId, error.message === NOT_REACHED ? "killed-price" : "killed-depth");
    return answer;
  };
  const killOf = ({ clientOrderId }: OrderIntent): Reason | undefined => {
    const reason = reasons.get(clientOrderId);
    reasons.delete(clientOrderId);
    return reason;
  };
  return { venue: { ...venue, placeOrder }, killOf };
}
