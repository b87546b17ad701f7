// A plan as it is shown, approved and declined.

import { z } from "zod";
import { parseAsset, parseSymbol } from "../domain/asset.ts";
import { Price, Quantity } from "../domain/money/money.ts";
import { amount, moment } from "../watch/status.ts";

export const reason = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ value: "text", description: "how this is known, for the journal" });
export const whyOptional = z.string().max(200).optional().meta({ value: "text", description: "why, for the journal" });

const planId = z.string().min(1).max(64);
const planDigest = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");

export const approveInput = planAnswer("approve");
export const declineInput = planAnswer("decline").extend({ reason });

function planAnswer<T extends "approve" | "decline">(answer: T) {
  return z.strictObject({
    id: planId,
    digest: planDigest.meta({ description: "of the plan that the person saw" }),
    by: z.string().min(1).max(64).meta({ description: "the person's name, which is the token's" }),
    confirm: z.literal(answer),
  });
}

export type Approving = Omit<z.output<typeof approveInput>, "confirm">;
export type Declining = Omit<z.output<typeof declineInput>, "confirm">;

export const declined = z.object({ id: z.string(), by: z.string(), text: z.string() });
export const approved = declined.extend({ ready: z.boolean().meta({ description: "enough people have approved it" }) });

const backTo = amount
  .optional()
  .meta({ description: "its target, which a holding that has left its band is brought back to" });
const holdingAfter = z.object({
  holding: z.string(),
  now: amount,
  after: amount,
  low: amount.optional(),
  high: amount.optional(),
  backTo,
  missingNow: amount,
  missingAfter: amount,
});
export const waitingPlan = z.object({
  id: planId,
  digest: planDigest.meta({ description: "SHA-256 of `pegbot plan`, content, expiresAt and persons, a line each" }),
  content: z.string().meta({ description: "to the letter, JSON: steps, prices, amounts, cost" }),
  expiresAt: moment,
  persons: z.number().int().meta({ description: "how many different people must approve it" }),
  at: moment,
  by: z.string(),
  why: z.string().optional(),
  approvals: z.array(z.object({ by: z.string(), at: moment })),
  holdings: z.array(holdingAfter).meta({
    description:
      "by the books now, with what is bound and on its way: what each holding has, would have after the plan, and how far it is outside its band",
  }),
});
export type WaitingPlan = z.output<typeof waitingPlan>;

const text = (read: (text: string) => { readonly ok: boolean }, what: string) =>
  z
    .string()
    .max(40)
    .refine((given) => read(given).ok, what)
    .meta({ description: what });
const quantity = text((given) => Quantity.parse(given, "positive"), "a positive decimal, in units of the coin");

export const proposeInput = z.strictObject({
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
export type Proposing = z.output<typeof proposeInput>;

export const proposed = z.object({
  id: z.string(),
  digest: z.string(),
  content: z.string().meta({ description: "to the letter, JSON" }),
  expiresAt: moment,
  persons: z.number().int(),
  next: z.string(),
});
