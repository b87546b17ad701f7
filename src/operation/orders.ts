import { z } from "zod";
import { ok } from "../domain/result.ts";
import { decisionSchema, moment, submissionSchema } from "../watch/status.ts";
import type { Operation } from "./operation.ts";

export const orders: Operation = {
  name: "orders",
  sentence: "What is open, and the last decisions with what became of them",
  scope: "read",
  answer: z.object({ at: moment, open: z.array(submissionSchema), decisions: z.array(decisionSchema) }),
  act({ model }) {
    const { at, open, decisions } = model.status();
    return ok({ at, open, decisions });
  },
};
