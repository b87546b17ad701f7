import { z } from "zod";
import { ok } from "../domain/result.ts";
import { holdingSchema, moment } from "../watch/status.ts";
import type { Operation } from "./operation.ts";

export const balances: Operation = {
  name: "balances",
  sentence: "What is held of each asset, and the parts of it",
  scope: "read",
  answer: z.object({ at: moment, currency: z.string(), holdings: z.array(holdingSchema) }),
  act({ model }) {
    const { at, equity, holdings } = model.status();
    return ok({ at, currency: equity.currency, holdings });
  },
};
