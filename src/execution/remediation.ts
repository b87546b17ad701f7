// The command that leads out of a halt or an unknown outcome, as messages print it.

import { RESUME } from "../risk/trading-state.ts";
import { type Conflict, isUnknown, KIND_RULES, type MoneyRequest, type NamedHalt } from "./request.ts";

export const ADOPT = "pegbot adopt";
export const ADOPT_AND_RESUME = `${ADOPT}, then ${RESUME}`;
export const DOCTOR = `pegbot doctor, then ${RESUME}`;
export const RUN = "pegbot run (where there is no pegbot.yaml: pegbot start)";

/** Another holder of the key could go on trading while the bot is resumed. */
export const WAS_IT_YOU = "was it you? If not, revoke the key in the venue's portal first";

export function resolveCommand({ kind, id }: Pick<MoneyRequest, "kind" | "id">): string {
  return `pegbot resolve ${id} ${KIND_RULES[kind].answers} --reason "..."`;
}

/** A halt about one request, with its remedy. */
export function haltAbout(request: MoneyRequest, conflict: Conflict): NamedHalt {
  return { ...conflict, wayOut: asked(conflict, `${firstStep(request)}, then ${RESUME}`) };
}

/** A halt that ends with `adopt` once the open outcomes are known. */
export function haltForAdoption(conflict: Conflict, open: Iterable<MoneyRequest>, adopt = ADOPT): NamedHalt {
  let first: MoneyRequest | undefined;
  for (const one of open) if (first === undefined && one.kind !== "rail" && isUnknown(one.state)) first = one;
  const steps = [...(first === undefined ? [] : [firstStep(first)]), adopt, RESUME];
  return { ...conflict, wayOut: asked(conflict, steps.join(", then ")) };
}

function asked({ cause }: Conflict, steps: string): string {
  return cause === "foreign" ? `${WAS_IT_YOU}; then ${steps}` : steps;
}

function firstStep(request: MoneyRequest): string {
  const { kind, id, state } = request;
  if (state.kind === "unknown" && state.escalated !== undefined) return resolveCommand(request);
  if (isUnknown(state))
    return `wait until pegbot status no longer shows the outcome of ${id} as unknown (if it asks a person: ${resolveCommand(request)})`;
  if (state.kind === "accepted" && kind !== "order")
    return `pegbot resolve ${id} --not-landed --reason "..." if the venue does not have it`;
  return ADOPT;
}

/** One subject, whether a trade, the order list or a person finds the late fill. */
export function lateSubject(id: string): Pick<NamedHalt, "cause" | "subject"> {
  return { cause: "late_fill", subject: `late ${id}` };
}

export function unsentSubject(id: string): Pick<NamedHalt, "cause" | "subject"> {
  return { cause: "foreign", subject: `unsent ${id}` };
}
