// What the bot is doing, in words for people.

import type { Phase } from "../../bot/watcher.ts";
import { unreachable } from "../../domain/invariant.ts";

export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case "waiting":
      return "waiting for an answer of the venue; nothing is sent before it";
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
