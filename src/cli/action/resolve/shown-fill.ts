// Whether the venue's balances speak against a fill that a person states: of one of its two assets they have just what they would
// have without it, or with other amounts. Where they may be behind, or something else may have moved them too, they say nothing.
// Asked twice with the same balances, as with what is given back.

import type { Balance } from "../../../domain/balance.ts";
import { Money } from "../../../domain/money/money.ts";
import type { Fill } from "../../../domain/order.ts";
import { totalOf } from "../../../execution/balance-vote.ts";
import { touches } from "../../../execution/mint-cost.ts";
import type { Submission } from "../../../execution/submission.ts";
import { fillMovements, type Mover } from "../../../execution/totals.ts";
import { watchOf } from "../../../execution/watch.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Tool } from "../../tool/tool.ts";
import { ACCOUNT_MOVED, waysWith } from "./given-back.ts";

/** Gives back why it is so no longer when it is written. */
export async function requireShown(
  tool: Tool,
  order: Submission<"order">,
  fill: Fill,
): Promise<() => string | undefined> {
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const against = (): string | undefined => contradiction(tool, rows, order, fill);
  const why = against();
  if (why === undefined) return () => (against() === undefined ? undefined : ACCOUNT_MOVED);
  const { id } = order;
  throw new CommandFailure(
    exitCode.refused,
    `the venue's balances do not show this fill of ${id}: ${why}; nothing was changed`,
    `compare the amounts with the portal. If they are right, ask the venue: once its balances or its history show it, the same command closes it. If it did not fill, or to go on before that: pegbot resolve ${id} --not-filled --reason "...", and what the balances then differ by is taken over by pegbot adopt`,
  );
}

function contradiction(
  { desk: { engine, executor }, now }: Tool,
  rows: readonly Balance[],
  { id, request, state }: Submission<"order">,
  fill: Fill,
): string | undefined {
  const { balancesMsMax } = executor.terms;
  const since = watchOf(state)?.since;
  if (since === undefined || now().at - since < balancesMsMax) return undefined;
  const movers = executor.balances.movers(now());
  // At its limit or better: what the balances are explained with as long as nobody has said how it filled.
  const own = movers.find((one) => one.id === id);
  if (own === undefined) return undefined;
  const stated: Mover = { id, booked: false, movements: fillMovements(request, fill) };
  for (const { least: change } of stated.movements) {
    const { asset } = change;
    const row = rows.find((one) => one.asset === asset);
    // Some venues leave out rows of nothing.
    const total = row === undefined ? Money.zero(asset) : totalOf(row);
    if (total === undefined) continue;
    const settled = engine.context.accounts.settled(asset) ?? Money.zero(asset);
    const others = movers.filter((one) => one.id !== id && touches(one, asset));
    const more = total.minus(settled);
    if (waysWith(stated, others, more)?.some((way) => way.includes(stated)) !== false) continue;
    // Neither with nor without it: other money has moved too.
    if (waysWith(own, others, more)?.length === 0) continue;
    return `they have ${total} ${asset}, and with it would have ${settled.plus(change)} ${asset} (protocol.balancesMsMax, ${balancesMsMax / 1_000} s, is over since its outcome became unknown)`;
  }
  return undefined;
}
