// What the control API takes and gives, as schemas: requests are checked by them, and the published document is made of them.
// Amounts are exact texts, times UTC milliseconds; what is not known is left out.

import { z } from "zod";
import { STOP_CAUSES } from "../../../domain/stop-cause.ts";

const REASON_MAX = 200;

const amount = z.string().meta({ description: "an exact decimal" });
const millis = z.number().int().meta({ description: "UTC milliseconds" });
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

const state = z.enum(["ACTIVE", "REDUCED", "HALTED"]);

/** With the state where it changed all the same: stopped, but not written down. */
export const problem = z.object({ error: z.string(), state: state.optional() });

export const stopped = z.object({ state: z.literal("HALTED"), reason: z.string() });
export const beaten = z.object({ at: millis });
export const resumed = z.object({ state, reason: z.string() });

const stop = z.object({
  state,
  reason: z.string(),
  wayOut: z.string(),
  by: z.string(),
  since: millis,
  cause: z.enum(STOP_CAUSES).optional().meta({ description: "of every stop; absent in ACTIVE" }),
  subject: z.string().optional().meta({
    description: "what of that cause: of one cause and subject there is one stop; absent where the reason says it",
  }),
  finding: z.string().optional().meta({ description: "what more was found of it" }),
});
const standing = stop.extend({ also: z.array(stop) });

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
  expiresAt: millis,
  persons: z.number().int().meta({ description: "how many different people must approve it" }),
  at: millis,
  by: z.string(),
  approvals: z.array(z.object({ by: z.string(), at: millis })),
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
export const plans = z.object({ at: millis, plans: z.array(waitingPlan) });

const holding = z.object({
  asset: z.string(),
  held: amount.optional(),
  available: amount.optional(),
  reserved: amount,
  pending: amount.optional(),
  inFlight: amount,
  mayCome: amount.meta({
    description:
      "beside what is held: coins of mints that the books do not have yet; plans count them as in flight too",
  }),
  floor: amount.optional(),
  band: z.object({ low: amount.optional(), target: amount.optional(), high: amount.optional() }).optional(),
  value: amount.optional(),
});

const submission = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  what: z.string(),
  isDoubt: z.boolean(),
  since: millis.optional(),
  venueWord: z.string().optional(),
  venueReason: z.string().optional(),
  heldSince: millis.optional().meta({ description: "since when the venue is seen to hold it" }),
  venueId: z.string().optional(),
  decide: z.string().optional().meta({ description: "how a person decides what evidence did not" }),
});

const decision = z.object({
  at: millis,
  clientOrderId: z.string().optional(),
  symbol: z.string(),
  side: z.string(),
  size: z.string(),
  limit: z.string(),
  reason: z.string(),
  outcome: z.string(),
  note: z.string(),
  times: z.number().int(),
});

const fill = z.object({
  at: millis,
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

export const balances = z.object({ at: millis, currency: z.string(), holdings: z.array(holding) });

export const fills = z.object({ at: millis, fills: z.array(fill) });

export const orders = z.object({ at: millis, open: z.array(submission), decisions: z.array(decision) });

export const status = z.looseObject({
  at: millis,
  startedAt: millis,
  version: z.string(),
  pid: z.number().int(),
  mode: z.enum(["paper", "live"]),
  environment: z.string(),
  venue: z.string(),
  strategy: z.string(),
  said: z.object({ at: millis, text: z.string() }).optional(),
  freshStart: z.object({ at: millis, text: z.string() }).optional(),
  unready: z.array(z.string()).meta({ description: "why it is not ready to trade; none when it is" }),
  phase: z.object({ kind: z.string(), text: z.string() }),
  standing,
  equity: z.object({
    currency: z.string(),
    now: amount
      .optional()
      .meta({ description: "as limits count it: a coin at the lower of par and the best known bid" }),
    atMid: amount.optional(),
    atPar: amount.optional(),
    markAgeMs: z.number().optional().meta({ description: "of the oldest price behind equity" }),
    today: amount.optional(),
    realised: amount,
    turnover: amount,
    orders: z.number().int(),
    revaluation: amount.optional().meta({ description: "today = realised + revaluation - mintFees - railFees" }),
    fees: amount.optional().meta({ description: "of trades: they are in realised, or in the cost of what is held" }),
    mintFees: amount.optional(),
    railFees: amount.optional(),
  }),
  holdings: z.array(holding),
  open: z.array(submission),
  frozen: z.string().optional(),
  balancesAgreeSince: millis.optional().meta({
    description:
      "since when balances agree with the books at every reading; absent while they do not, or were not read",
  }),
  unlogged: z.string().optional().meta({ description: "why the log is lost, while it is" }),
  otherLimits: z.string().optional().meta({
    description: "limits that the configuration has otherwise by now; the bot goes by its own until it is restarted",
  }),
  offline: z
    .array(z.object({ symbol: z.string(), word: z.string(), since: millis }))
    .optional()
    .meta({ description: "pairs that may be traded and are not online by the venue's last list" }),
  totals: z
    .object({
      currency: z.string(),
      approved: z.number().int(),
      refused: z.number().int(),
      fills: z.number().int(),
      turnover: amount,
      fees: amount,
      mintFees: amount,
      railFees: amount,
      unvaluedFees: z.number().int(),
      realised: amount,
      unrealised: amount.optional().meta({ description: "what trades left open, at the mark, less its cost" }),
      fx: amount.optional().meta({ description: "FX revaluation of what was put in and realised, at par" }),
      brought: amount,
      unvalued: z.number().int(),
    })
    .optional(),
  counts: z.object({ approved: z.number().int(), refused: z.number().int(), fills: z.number().int() }),
  journal: z.object({ path: z.string(), records: z.number().int().optional() }),
});
