// Requests that are open, as the status shows them: what they are, and how old.

import { expect, test } from "vitest";
import type { Asset } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import type { MoneyRequest } from "../../../src/execution/request.ts";
import { openOf } from "../../../src/watch/status/submission-list.ts";
import { openCount, stageOf, titleOf } from "../../../src/watch/status.ts";

test("a rail is as old as its request, and held since the venue holds it", () => {
  const rail = {
    kind: "rail",
    id: "L-1",
    assets: ["VCHF" as Asset],
    value: undefined,
    request: { asset: "VCHF", currency: "CHF", type: "StablecoinToFiat", blockchain: "ETH" },
    state: { kind: "confirmed", receipt: { railId: "r" } },
  } as unknown as MoneyRequest;
  const times = () => ({ intendedAt: millis(36_000), heldAt: millis(48_000) });
  const executor = { open: () => [rail], times };
  const [shown] = openOf({ executor });
  expect(shown).toMatchObject({ since: 36_000, heldSince: 48_000, what: "VCHF to CHF on ETH" });
  expect(shown && titleOf(shown)).toBe("rail VCHF to CHF on ETH");
});

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

test("an order that history shows is a fill and not open any more; a mint or rail is", () => {
  const open = ["order", "mint", "rail"].flatMap((kind) => [
    { kind, state: "confirmed" },
    { kind, state: "accepted" },
  ]);
  expect(open.map(stageOf)).toEqual([
    ...["filled, the balances are still to be compared", "accepted"],
    ...["confirmed", "accepted", "confirmed", "accepted"],
  ]);
  expect(openCount({ open: open as never })).toBe(5);
});
