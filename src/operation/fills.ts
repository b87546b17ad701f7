import { z } from "zod";
import { ok } from "../domain/result.ts";
import { fillSchema, moment } from "../watch/status.ts";
import type { Operation } from "./operation.ts";

export const fills: Operation = {
  name: "fills",
  sentence: "The last fills, newest last",
  scope: "read",
  answer: z.object({ at: moment, fills: z.array(fillSchema) }),
  act: ({ model }) => ok({ at: model.status().at, fills: model.fills().slice(-500) }),
};
