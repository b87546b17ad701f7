// The calls that tell what happened. A key may be refused some of them and still be good for all the others.

import type { Exchange, Reading, Want } from "../../../exchange/port.ts";
import { explainFailure, type Unread } from "./explain-failure.ts";
import type { Finding } from "./finding.ts";

const check = "history";
const CALLS = ["orders", "trades", "rails", "payments"] as const;
/** Without these two an order whose answer was lost can never be resolved. */
const NEEDED: ReadonlySet<string> = new Set(["orders", "trades"]);

type Refused = { readonly call: (typeof CALLS)[number]; readonly reading: Unread };

export async function checkHistory(exchange: Exchange, want: () => Want): Promise<readonly Finding[]> {
  const refused: Refused[] = [];
  for (const call of CALLS) {
    const reading: Reading<unknown> = await exchange[call](want());
    if (reading.kind !== "read") refused.push({ call, reading });
  }
  const answered = CALLS.filter((call) => !refused.some((one) => one.call === call));
  const told: Finding = { check, verdict: "ok", cause: `${answered.join(", ")} can be read` };
  return [...(answered.length === 0 ? [] : [told]), ...refused.map(findingOf)];
}

function findingOf({ call, reading }: Refused): Finding {
  const { cause, next } = explainFailure(reading);
  const forbidden = reading.kind === "failed" && reading.failure.status === 403;
  if (!forbidden) return { check, verdict: "problem", cause: `${call}: ${cause}`, next };
  const need = NEEDED.has(call) ? "; an order whose answer was lost could not be looked up" : "";
  return { check, verdict: "warning", cause: `${call}: ${cause}${need}`, next };
}
