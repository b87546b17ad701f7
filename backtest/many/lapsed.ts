// Runs that sent nothing, because the wait that they were given lies past every slot, among all of a search: said at its head, as
// of one run at the head of that.

import { counted } from "../report/format.ts";
import type { TrialResult } from "./trial-result.ts";

export function lapsedIn(results: readonly TrialResult[]): readonly string[] {
  const ran = results.flatMap((result) => (result.kind === "ran" ? [result] : []));
  const texts = ran.flatMap(({ lapsed }) => lapsed ?? []);
  const [first] = texts;
  if (first === undefined) return [];
  return [texts.length === ran.length ? first : `in ${texts.length} of ${counted(ran.length, "run")} ${first}`];
}
