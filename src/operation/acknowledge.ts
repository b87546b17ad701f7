// A person has reviewed why rails are frozen (a changed whitelist at the venue, an unexpected payment) and releases
// them. The whitelist is read now and is the accepted one from then on.

import { z } from "zod";
import { exitCode } from "../domain/exit-code.ts";
import { printable } from "../domain/sanitise.ts";
import { REASON_MAX, whitelistOf } from "../risk/rail-guard.ts";
import { moneyOperation, refuseIf } from "./money.ts";
import { whitelist } from "./movement.ts";
import { reason } from "./plan.ts";

export const acknowledge = moneyOperation({
  name: "acknowledge",
  sentence: "Releases frozen rails: the venue's present whitelist is the accepted one from then on",
  scope: "trade",
  begins: "restored",
  input: z.strictObject({ reason }),
  async act(trader, input, asking) {
    const lines = whitelistOf(await whitelist(trader));
    const guard = () => trader.core().executor.treasury.rails;
    const frozen = guard().reason;
    const ended = { exit: exitCode.done, id: "rails", json: { wasFrozen: frozen ?? null, whitelist: lines } };
    if (frozen === undefined)
      return { ...ended, outcome: "not frozen", text: "rails are not frozen: there is nothing to acknowledge" };
    asking.tell(`frozen   ${printable(frozen, REASON_MAX)}`);
    asking.tell(lines.length === 0 ? "the venue has whitelisted nothing" : "whitelisted at the venue now:");
    for (const line of lines) asking.tell(`  ${line}`);
    const sent = { frozen, whitelist: lines.join("\n") };
    await asking.agree({ word: "acknowledge", sent, worst: [], caveats: [] });
    const { at } = trader.now();
    const by = asking.by;
    const record = {
      kind: "rails",
      at,
      state: "released",
      whitelist: lines,
      reason: printable(input.reason),
      by,
    } as const;
    const { refusal } = await trader.take({
      kind: "unless",
      input: { kind: "rails", record },
      why: () => {
        const now = guard().reason;
        // A reason that the person has not seen is not released.
        return now === frozen
          ? undefined
          : `what froze rails has changed meanwhile: ${printable(now ?? "nothing", REASON_MAX)}`;
      },
    });
    refuseIf(refusal?.message);
    return { ...ended, outcome: "released", text: "rails may be used again" };
  },
});
