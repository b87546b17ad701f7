// Requests that are open, as the status shows them: what they are, and how old.

import { expect, test } from "vitest";
import type { MoneyRequest } from "../../../src/execution/request.ts";
import { openOf } from "../../../src/watch/status/submission-list.ts";

const LISTS_FIRST =
  "(it reads the venue's lists first, and changes nothing while they cannot be read; a running bot goes on looking)";

const UNKNOWN = { kind: "unknown", cause: "timeout", absences: 0 };
const ASKED = { ...UNKNOWN, escalated: "no witness knows it" };
const COSTLESS = { kind: "confirmed", receipt: { requestId: "r1", spent: undefined } };
const decideBy = (answers: string): string =>
  `look at the venue's portal, then pegbot resolve T-1 ${answers} --reason "..." ${LISTS_FIRST}`;

test.each([
  ["order", "that asks a person", ASKED, decideBy("--filled|--not-filled")],
  ["mint", "that asks a person", ASKED, decideBy("--landed|--not-landed")],
  ["mint", "whose cost is not stated", COSTLESS, decideBy("--landed|--not-landed")],
  ["order", "of unknown outcome", UNKNOWN, undefined],
])("%s %s: how a person decides is shown only where evidence did not", (kind, _, state, decide) => {
  const request = { asset: "VCHF", chain: "ETH", quantity: "1", side: "buy", symbol: "VCHF/CHF", limit: "1" };
  const one = { kind, id: "T-1", assets: [], value: undefined, request, state };
  const open = () => [one as unknown as MoneyRequest];
  const executor = { open, times: () => undefined };
  expect(openOf({ executor })).toMatchObject([{ decide }]);
});
