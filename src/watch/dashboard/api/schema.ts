// What the control API takes and gives, as schemas: requests are checked by them, and the published document is made of them.
// Amounts are exact texts, times UTC milliseconds; what is not known is left out.

import { z } from "zod";
import { amount, decisionSchema, holdingSchema, moment, RISK_STATES, submissionSchema } from "../../status.ts";

const REASON_MAX = 200;

const reason = z.string().trim().min(1).max(REASON_MAX).meta({ description: "for the journal" });

export const haltBody = z.strictObject({ reason });
export const HALT_RULE = `body must be {"reason": "..."} with 1 to ${REASON_MAX} characters and nothing else`;

const person = z.string().trim().min(1).max(64);
export const heartbeatBody = z.strictObject({ by: person.meta({ description: "who says so: a name, a watchdog" }) });
export const HEARTBEAT_RULE = `body must be {"by": "..."} with 1 to 64 characters and nothing else`;

const seen = z.array(z.string()).min(1).max(32).meta({
  description: "the reason of every stop in the standing that the person saw; one more than these is not resumed",
});
export const resumeBody = z.strictObject({ reason, confirm: z.literal("resume"), seen });
export const RESUME_RULE = `body must be {"reason": "...", "confirm": "resume", "seen": ["the reason of each stop in /api/status"]}, the reason with 1 to ${REASON_MAX} characters, and nothing else`;

const planId = z.string().min(1).max(64);
const planDigest = z.string().regex(/^[0-9a-f]{64}$/);
const answerBody = <T extends "approve" | "decline">(answer: T) =>
  z.strictObject({
    id: planId,
    digest: planDigest.meta({ description: "of the plan that the person saw" }),
    by: z.string().min(1).max(64).meta({ description: "the person's name" }),
    confirm: z.literal(answer),
    signature: z
      .string()
      .regex(/^[A-Za-z0-9+/]{1,1024}={0,2}$/)
      .optional()
      .meta({
        description: `of a person with a publicKey: ECDSA with SHA-256 of \`pegbot ${answer} DIGEST\`, in base64`,
      }),
  });
export const approveBody = answerBody("approve");
export type ApproveBody = z.output<typeof approveBody>;
export const declineBody = answerBody("decline").extend({ reason });
export type DeclineBody = z.output<typeof declineBody>;
export const DECLINE_RULE = `body must be {"id": "R-...", "digest": "64 hexadecimal digits", "by": "...", "reason": "...", "confirm": "decline"}, the reason with 1 to ${REASON_MAX} characters, with "signature" in base64 where the person has a key, and nothing else`;
export const APPROVE_RULE = `body must be {"id": "R-...", "digest": "64 hexadecimal digits", "by": "...", "confirm": "approve"}, with "signature" in base64 where the person has a key, and nothing else`;

const state = z.enum(RISK_STATES);

/** With the state where it changed all the same: stopped, but not written down. */
export const problem = z.object({ error: z.string(), state: state.optional() });

export const stopped = z.object({ state: z.literal("HALTED"), reason: z.string() });
export const beaten = z.object({ at: moment });
export const resumed = z.object({ state, reason: z.string() });

export const approved = z.object({
  id: z.string(),
  by: z.string(),
  ready: z.boolean().meta({ description: "enough people have approved it" }),
  text: z.string(),
});

export const declined = z.object({ id: z.string(), by: z.string(), text: z.string() });

const waitingPlan = z.object({
  id: planId,
  digest: planDigest.meta({ description: "SHA-256 of `pegbot plan`, content, expiresAt and persons, a line each" }),
  content: z.string().meta({ description: "to the letter, JSON: steps, prices, amounts, cost" }),
  expiresAt: moment,
  persons: z.number().int().meta({ description: "how many different people must approve it" }),
  at: moment,
  by: z.string(),
  approvals: z.array(z.object({ by: z.string(), at: moment })),
  holdings: z
    .array(
      z.object({
        holding: z.string(),
        now: amount,
        after: amount,
        low: amount.optional(),
        high: amount.optional(),
        backTo: amount
          .optional()
          .meta({ description: "its target, which a holding that has left its band is brought back to" }),
        missingNow: amount,
        missingAfter: amount,
      }),
    )
    .meta({
      description:
        "by the books now, with what is bound and on its way: what each holding has, would have after the plan, and how far it is outside its band",
    }),
});
export type WaitingPlan = z.output<typeof waitingPlan>;
export const plans = z.object({ at: moment, plans: z.array(waitingPlan) });

export const fill = z.object({
  at: moment,
  clientOrderId: z.string(),
  symbol: z.string(),
  side: z.string(),
  size: amount,
  price: z.number(),
  bought: amount,
  boughtAsset: z.string(),
  sold: amount,
  soldAsset: z.string(),
  fee: amount,
  feeAsset: z.string(),
  edgeBps: z.number().optional(),
});

export const balances = z.object({ at: moment, currency: z.string(), holdings: z.array(holdingSchema) });

export const fills = z.object({ at: moment, fills: z.array(fill) });

export const orders = z.object({ at: moment, open: z.array(submissionSchema), decisions: z.array(decisionSchema) });
