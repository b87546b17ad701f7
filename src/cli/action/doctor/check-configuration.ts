// The configuration: what is in force, or every mistake in it.

import { type Mistake, mistakeLine } from "../../../config/mistake.ts";
import type { Config } from "../../../config/schema.ts";
import type { Finding } from "./finding.ts";

const check = "configuration";

export function rightConfiguration({ mode, venue, strategy }: Config): Finding {
  const where = venue.baseUrl ?? "the embedded simulator";
  return { check, verdict: "ok", cause: `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}` };
}

export function wrongConfiguration(file: string, mistakes: readonly Mistake[]): readonly Finding[] {
  return mistakes.map((mistake) => ({
    check,
    verdict: "problem",
    cause: mistakeLine(file, mistake),
    next: "correct it there; pegbot config check looks at the configuration alone, pegbot init writes a new one",
  }));
}
