// RC25: an operator, or a watchdog outside, must say now and then that sending is still wanted. Silence for longer than the
// limit reduces, twice as long halts. Off unless it is configured.

import type { Breach, RiskContext, Rule } from "../rule.ts";
import { PASS } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";
import { RESUME } from "../standing.ts";

export function heartbeat(silenceMsMax: number): Rule {
  const limit = `${silenceMsMax} ms`;
  return {
    code: "RC25",
    review(_, context) {
      const silentMs = silence(context);
      if (silentMs === undefined) return refuseUnknown("RC25", "time since the last heartbeat", limit);
      return silentMs <= silenceMsMax
        ? PASS
        : refuse("RC25", "time since the last heartbeat is", `${silentMs} ms`, limit);
    },
    monitor(context): Breach | undefined {
      const silentMs = silence(context);
      if (silentMs === undefined || silentMs <= silenceMsMax) return undefined;
      const state = silentMs <= 2 * silenceMsMax ? "REDUCED" : "HALTED";
      const reason = `RC25: time since the last heartbeat is ${silentMs} ms, limit is ${limit}`;
      return { state, cause: "heartbeat", subject: "RC25", reason, wayOut: `pegbot heartbeat, then ${RESUME}` };
    },
    steadyUntil: ({ heartbeatAt }) => (heartbeatAt ?? Number.POSITIVE_INFINITY) + silenceMsMax,
  };
}

/** Why nothing goes out, while nobody has said for too long that it should; undefined when somebody has. */
export function missingHeartbeat(silenceMsMax: number, context: RiskContext): string | undefined {
  const silentMs = silence(context);
  if (silentMs !== undefined && silentMs <= silenceMsMax) return undefined;
  const last = silentMs === undefined ? "there was none yet" : `the last was ${silentMs} ms ago`;
  return `RC25: no heartbeat of an operator within ${silenceMsMax} ms (${last}): pegbot heartbeat`;
}

/** Before the first one nothing is known, so nothing goes out; but nothing has failed either. */
function silence({ books, now }: RiskContext): number | undefined {
  if (books.heartbeatAt === undefined) return undefined;
  const silentMs = now - books.heartbeatAt;
  return isKnown(silentMs) && silentMs >= 0 ? silentMs : undefined;
}
