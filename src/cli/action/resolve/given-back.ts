// Whether the venue's balances show that what was spent on a mint or a payment is back on the account. Asked twice with the same
// balances: before a person is, and against the books as they are when it is written, since another person may have closed
// another one by the very same money.

import { Money } from "../../../domain/money/money.ts";
import { totalOf } from "../../../execution/balance-vote.ts";
import type { Tool } from "../../tool/tool.ts";

export type GivenBack = {
  readonly isBack: boolean;
  /** What the account lacks of what there would be; undefined where the balances do not say. */
  readonly lack: Money | undefined;
};

/** `share`: of this what the venue kept as a fee may be missing; it stops the bot by itself afterwards. */
export async function balancesOf(tool: Tool, spent: Money, share: Money): Promise<() => GivenBack> {
  const { asset } = spent;
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const total = totalOf(rows.find((row) => row.asset === asset));
  const feeMax = share.share(100, "down");
  return () => {
    // Without what is in flight: that is on its way to a bank, or from one, and not on the account.
    const settled = tool.desk.engine.context.accounts.settled(asset) ?? Money.zero(asset);
    const lack = total && settled.plus(spent).minus(total);
    return { lack, isBack: lack?.atMost(feeMax) === true };
  };
}

export const ACCOUNT_MOVED = "the account moved while it was looked at: the same command again";
