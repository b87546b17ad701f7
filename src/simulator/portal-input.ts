// The bodies that the portal takes, route by route.

import { z } from "zod";
import { faultsSchema } from "./fault.ts";

const publicKey = z.string().min(1).max(400);
const text = z.string().min(1).max(200);
const amount = z.string().regex(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/, "must be a plain decimal in quotes");
const YEAR_MS = 366 * 86_400_000;

export const portalInput = {
  keys: z.strictObject({ publicKey }),
  kyb: z.strictObject({ publicKey, cleared: z.boolean() }),
  agreements: z.strictObject({ publicKey, product: z.enum(["issuance", "conversion"]), signed: z.boolean() }),
  credits: z.strictObject({ publicKey, asset: text, amount }),
  addresses: z.strictObject({
    publicKey,
    asset: text,
    blockchain: text,
    address: text,
    label: text,
    confirmed: z.boolean(),
    travelRule: z.strictObject({ originator: text, beneficiary: text }).nullable().optional(),
  }),
  holds: z.union([
    z.strictObject({ requestid: text, held: z.boolean() }),
    z.strictObject({ railid: text, held: z.boolean() }),
  ]),
  payments: z.strictObject({ railid: text, amount }),
  pairs: z.strictObject({
    symbol: text,
    status: text.optional(),
    quantityDecimals: z.int().min(0).max(8).optional(),
    priceDecimals: z.int().min(0).max(10).optional(),
    quantityMin: amount.optional(),
  }),
  clock: z.strictObject({ advanceMs: z.int().min(0).max(YEAR_MS) }),
  faults: faultsSchema,
} as const;

export type PortalInput = keyof typeof portalInput;
