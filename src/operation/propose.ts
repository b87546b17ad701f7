// An order or a mint that an agent, or any program, would like: a plan of one step that a person approves by its digest
// before it expires. It is judged by the gate now and again when it is carried out; nothing is sent before the approval.

import { z } from "zod";
import { parseAsset, parseSymbol } from "../domain/asset.ts";
import { Price, Quantity } from "../domain/money/money.ts";
import { moment } from "../watch/status.ts";
import { operation } from "./operation.ts";
import { reason } from "./plan.ts";

const text = (read: (text: string) => { readonly ok: boolean }, what: string) =>
  z
    .string()
    .max(40)
    .refine((given) => read(given).ok, what)
    .meta({ description: what });
const quantity = text((given) => Quantity.parse(given, "positive"), "a positive decimal, in units of the coin");

const input = z.strictObject({
  order: z
    .strictObject({
      side: z.enum(["buy", "sell"]),
      symbol: text(parseSymbol, "a pair such as VCHF/CHF"),
      quantity,
      price: text(Price.parse, "the limit price, a decimal"),
    })
    .optional(),
  mint: z
    .strictObject({ asset: text(parseAsset, "a coin such as VCHF"), chain: z.string().min(1).max(20), quantity })
    .optional(),
  reason: reason.meta({ description: "why, for the person who decides" }),
});
export type Proposing = z.output<typeof input>;

export const proposed = z.object({
  id: z.string(),
  digest: z.string(),
  content: z.string().meta({ description: "to the letter, JSON" }),
  expiresAt: moment,
  persons: z.number().int(),
  next: z.string(),
});

export const propose = operation({
  name: "propose",
  sentence: "Proposes an order, or a mint, as a plan: it is sent only after a person has approved its digest",
  scope: "halt",
  input,
  answer: proposed,
  failure: { status: 409, description: "not proposed: the error says what stands in the way" },
  act: (owner, wish, asker) => owner.propose(wish, asker),
});
