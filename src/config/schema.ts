// The whole configuration. Each section is one schema: those of other rooms are imported from there.

import { z } from "zod";
import { riskSchema } from "../risk/limits.ts";
import { journalSchema } from "./section/journal.ts";
import { keySchema } from "./section/key.ts";
import { marketSchema } from "./section/market.ts";
import { noticesSchema } from "./section/notices.ts";
import { protocolSchema } from "./section/protocol.ts";
import { serverSchema } from "./section/server.ts";
import { strategySchema } from "./section/strategy.ts";
import { treasurySchema } from "./section/treasury.ts";
import { venueSchema } from "./section/venue.ts";

export const configSchema = z.strictObject({
  mode: z.enum(["paper", "live"]).default("paper").describe("paper trades on a simulator, live with real money"),
  confirm: z
    .string({ error: "must be a sentence" })
    .optional()
    .describe('what opens live mode: "trade real money on <environment>"'),
  venue: venueSchema.prefault({}).describe("the venue and how it is spoken to"),
  key: keySchema.optional().describe("where the private key is: exactly one of file, env and keystore"),
  market: marketSchema.prefault({}).describe("where prices come from"),
  strategy: strategySchema.prefault({}).describe("what decides"),
  risk: riskSchema.optional().describe("the limits, every one by name; live mode needs them"),
  protocol: protocolSchema.prefault({}).describe("patience with orders of unknown outcome"),
  treasury: treasurySchema.prefault({}).describe("mints, rails and rebalancing"),
  journal: journalSchema.prefault({}).describe("the durable record"),
  notices: noticesSchema.prefault({}).describe("messages to people"),
  server: serverSchema.prefault({}).describe("page, metrics and control on this machine"),
});

export type Config = Readonly<z.output<typeof configSchema>>;
