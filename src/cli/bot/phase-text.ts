// What the bot is doing, in words for people.

import type { Phase } from "../../bot/watcher.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Status } from "../../telemetry/status.ts";

export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case "restoring":
      return "reading the journal";
    case "reading":
      return "comparing venue and journal";
    case "resolving":
      return `resolving ${phase.open} request${phase.open === 1 ? "" : "s"} of unknown outcome`;
    case "trading":
      return "trading";
    case "unwritable":
      return `the journal cannot be written: ${phase.error.message}`;
    case "stopping":
      return "stopping";
    default:
      return unreachable(phase);
  }
}

/** The pipeline's own word, unless the state says that nothing may leave. */
export function doingText(state: Status["standing"]["state"], { kind, text }: Status["phase"]): string {
  if (kind !== "trading" || state === "ACTIVE") return text;
  return state === "REDUCED" ? "reducing only" : "not trading, reading goes on";
}
