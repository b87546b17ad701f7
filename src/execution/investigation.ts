// The newest answers of the witnesses, and what they show together about one order in doubt. A round, of whatever kind of
// submission, is complete when each witness it needs has answered a question that was posted after the round began.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { unreachable } from "../domain/invariant.ts";
import type { MintIntent } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Mono } from "../domain/time.ts";
import type { OrderRecord, TradeRecord } from "../exchange/port.ts";
import { balanceVote } from "./balance-vote.ts";
import type { Answer } from "./executor.ts";
import type { Held } from "./kept/held.ts";
import { groupsOf } from "./mover-sets.ts";
import { judgeOrder } from "./order-evidence.ts";
import type { Finding, Moment, Submission, Witness } from "./submission.ts";
import { witnessesOf } from "./terms.ts";
import type { Mover } from "./totals.ts";
import { watchOf } from "./watch.ts";

type Latest<T> = { readonly askedAt: Mono; readonly rows: readonly T[] };

const NEVER = Number.NEGATIVE_INFINITY;

export class Investigation {
  private trades: Latest<TradeRecord> = { askedAt: NEVER as Mono, rows: [] };
  private orders: Latest<OrderRecord> = { askedAt: NEVER as Mono, rows: [] };
  private balances: Latest<Balance> = { askedAt: NEVER as Mono, rows: [] };
  private railsAt = NEVER;
  /** When the last payments that were answered were asked for. */
  paymentsAt = NEVER;
  private readonly supplyAt = new Map<Asset, Mono>();
  /** When the balances came: what counts is what may have been late at that time. */
  balancesAt: Moment | undefined;

  /** An answer that is older than the last one is ignored. */
  take(answer: Answer, now: Moment): void {
    const { askedAt } = answer;
    switch (answer.witness) {
      case "trades":
        if (askedAt >= this.trades.askedAt) this.trades = answer;
        return;
      case "orders":
        if (askedAt >= this.orders.askedAt) this.orders = answer;
        return;
      case "balances":
        if (askedAt < this.balances.askedAt) return;
        this.balances = answer;
        this.balancesAt = now;
        return;
      case "rails":
        this.railsAt = Math.max(this.railsAt, askedAt);
        return;
      case "payments":
        this.paymentsAt = Math.max(this.paymentsAt, askedAt);
        return;
      case "supply-changes":
        if (askedAt >= this.askedAt("supply-changes", answer.asset)) this.supplyAt.set(answer.asset, askedAt);
        return;
      case "addresses":
        return;
      default:
        unreachable(answer);
    }
  }

  /** Does the answer that has just come complete the round that this submission waits for? */
  completes(submission: Submission, witness: Witness): boolean {
    const watch = watchOf(submission.state);
    if (watch?.askedAt === undefined || !watch.open) return false;
    const { askedAt } = watch;
    const asked = witnessesOf(submission);
    return asked.includes(witness) && asked.every((one) => this.askedAt(one, mintedBy(submission)) >= askedAt);
  }

  /** `held`: the ledger; `movers`: what is booked in it or in doubt, and may or may not be in the balances. */
  judge(
    { id, request, sentinel }: Held,
    movers: readonly Mover[],
    held: (asset: Asset) => Money | undefined,
  ): Finding<Fill> {
    const near = nearOf(id, movers);
    const ledger = (asset: Asset): Money | undefined => {
      const known = held(asset);
      const moved = near.flatMap(({ booked, movements }) =>
        booked ? movements.flatMap(({ least }) => (least.asset === asset ? [least] : [])) : [],
      );
      return known?.minus(Money.sum(moved, asset));
    };
    return judgeOrder(request as OrderIntent, {
      trades: this.trades.rows,
      tradeSentinel: sentinel,
      orders: this.orders.rows,
      // The last fill of ours is in the list of orders, too.
      orderSentinel: sentinel,
      vote: balanceVote(id, near, this.balances.rows, ledger),
    });
  }

  /** `asset`: of supply changes only. */
  private askedAt(witness: Witness, asset: Asset | undefined): number {
    switch (witness) {
      case "trades":
        return this.trades.askedAt;
      case "orders":
        return this.orders.askedAt;
      case "balances":
        return this.balances.askedAt;
      case "rails":
        return this.railsAt;
      case "payments":
        return this.paymentsAt;
      case "addresses":
        return NEVER;
      case "supply-changes":
        return (asset === undefined ? undefined : this.supplyAt.get(asset)) ?? NEVER;
      default:
        return unreachable(witness);
    }
  }
}

/** The coin whose supply changes speak about it. */
export function mintedBy({ kind, request }: Submission): Asset | undefined {
  return kind === "mint" ? (request as MintIntent).asset : undefined;
}

/** The movers that share an asset with it: the balances of other assets say nothing about it. */
function nearOf(id: string, movers: readonly Mover[]): readonly Mover[] {
  return groupsOf(movers).flatMap((group) => (group.some((one) => one.id === id) ? group : []));
}
