// Which steps that another process wrote people are told of. What others fall into doubt about they tell by themselves; whoever was
// called by us hears from us that it is over.

import type { Step } from "../../domain/step.ts";

const ENDS: readonly string[] = ["departed", "told", "released", "returned", "arrived"];

export function endsDoubt({ event }: Step): boolean {
  return event.kind === "movement" && ENDS.includes(event.report.kind);
}
