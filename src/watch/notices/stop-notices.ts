// Messages of stops and of their end: what the bot or a person did, in whatever record it stands.

import type { Control, Halt } from "../../domain/event.ts";
import type { Millis } from "../../domain/time.ts";
import { keyOf } from "../../risk/standing.ts";
import type { Notice } from "./notice.ts";

export function stopNotice(state: string, halt: Halt & { readonly by: string }, at: Millis): Notice {
  const { cause, reason, wayOut, by } = halt;
  const urgency = state === "REDUCED" ? "warning" : "critical";
  // One stop is told once, in whatever words and figures it comes, and again where more is known of it.
  return {
    kind: "stop",
    urgency,
    key: `stop:${state}:${keyOf(halt)}`,
    at,
    fields: { state, cause, reason, wayOut, by },
  };
}

export function controlNotices(control: Control, at: Millis): readonly Notice[] {
  switch (control.kind) {
    case "kill":
      return [
        stopNotice(
          "KILLED",
          { ...control, cause: control.cause ?? "person", wayOut: 'pegbot resume --reason "..."' },
          at,
        ),
      ];
    case "halt":
      return [stopNotice("HALTED", { ...control, by: "bot" }, at)];
    case "reduce":
      return [stopNotice("REDUCED", { ...control, by: "bot" }, at)];
    case "resume": {
      const { reason, by } = control;
      return [{ kind: "resume", urgency: "warning", key: `resume:${at}`, at, fields: { reason, by } }];
    }
    case "heartbeat":
    case "limits":
      return [];
  }
}
