import { ok } from "../domain/result.ts";
import { statusSchema } from "../watch/status.ts";
import type { Operation } from "./operation.ts";

export const status: Operation = {
  name: "status",
  sentence: "How the bot stands: state and way out, equity, holdings, limits, feeds, budget",
  scope: "read",
  answer: statusSchema,
  act: ({ model }) => ok(model.status()),
};
