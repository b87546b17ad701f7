// RC21: an order leaves only if exactly that order was approved and has neither left nor been dropped. Each approval is
// spent once, and the bytes that leave are compared with it, so what is sent adds up to what was approved.

import { invariant } from "../domain/invariant.ts";
import type { ClientOrderId } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Approved } from "./gate.ts";
import type { Breach } from "./rule.ts";
import { halted } from "./ruling.ts";

type Sendable = Pick<OrderIntent, "clientOrderId" | "symbol" | "side" | "quantity" | "limit">;

export class UnspentApprovals {
  readonly #waiting = new Map<ClientOrderId, Approved>();

  add(order: Approved): void {
    const { clientOrderId } = order;
    invariant(!this.#waiting.has(clientOrderId), `order ${clientOrderId} must be approved once`);
    this.#waiting.set(clientOrderId, order);
  }

  /** Will not be sent. */
  drop(id: ClientOrderId): void {
    this.#waiting.delete(id);
  }

  /** Immediately before the send, with the body as sent: a breach means that it must not leave. */
  spend(order: Sendable, body?: string): Breach | undefined {
    const { clientOrderId } = order;
    const approved = this.#waiting.get(clientOrderId);
    if (approved === undefined) return breach(clientOrderId, "not approved, or sent before", "approved once");
    this.#waiting.delete(clientOrderId);
    const meant = text(approved);
    const leaving = body === undefined ? text(order) : sentText(body);
    return leaving === meant ? undefined : breach(clientOrderId, leaving, meant);
  }
}

function text({ clientOrderId, side, quantity, symbol, limit }: Sendable): string {
  return [clientOrderId, side, String(quantity), symbol, String(limit)].join(" ");
}

/** The order as the venue will read it; a bare number by its digits, not as a float. */
function sentText(body: string): string {
  const fields = body.startsWith("{")
    ? JSON.parse(body.replace(/:(-?\d[\d.]*)(?=[,}])/g, ':"$1"'))
    : Object.fromEntries(new URLSearchParams(body));
  const { clordid, side, orderqty, symbol, price } = fields;
  return [clordid, String(side).toLowerCase(), orderqty, symbol, price].join(" ");
}

function breach(clientOrderId: string, value: string, limit: string): Breach {
  return halted("RC21", { subject: clientOrderId, what: `order ${clientOrderId} is`, value, limit });
}
