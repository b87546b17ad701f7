// The limits of a configuration; paper mode has its own.

import { usageFailure } from "../domain/command-failure.ts";
import type { Limits } from "../risk/limits.ts";
import { paperLimits } from "../risk/paper-limits.ts";
import type { Config } from "./schema.ts";

export function limitsOf({ mode, risk }: Config): Limits {
  if (risk !== undefined) return risk;
  if (mode === "paper") return paperLimits;
  throw usageFailure(`${mode} mode needs the section risk`, "pegbot config check says more");
}
