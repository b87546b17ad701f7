// An operation that sends a mint or a rail: who may send one by hand, the draft that is shown and agreed to, the way through
// the gate or to a plan for others to approve, and its end.

import { z } from "zod";
import type { AskedOperation } from "../bot/input.ts";
import type { Config } from "../config/schema.ts";
import { isByHand } from "../config/section/rebalancing.ts";
import { parseAsset } from "../domain/asset.ts";
import { orFail, usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { Money } from "../domain/money/money.ts";
import { printable } from "../domain/sanitise.ts";
import { type Millis, millis } from "../domain/time.ts";
import type { WithdrawAddress } from "../exchange/port.ts";
import type { MintWish, MovementWish, RailWish } from "../risk/treasury-gate.ts";
import { type ContentStep, contentOf, isWish, wishRecord } from "../treasury/approval/plan-content.ts";
import type { PlanLog } from "../treasury/approval/plan-log.ts";
import {
  type Agreement,
  type Asking,
  type Ended,
  type MoneyOperation,
  moneyOperation,
  refuseIf,
  requireActive,
  ruledOut,
  sentBy,
  type Trader,
} from "./money.ts";
import { reasonText } from "./person.ts";
import { whyOptional } from "./plan.ts";
import { planEnd, propose, proposedTerms } from "./proposal.ts";
import { type Following, requestEnd } from "./request-end.ts";

export const word = (value: string, description: string) =>
  z.string().min(1).max(140).optional().meta({ value, description });

/** What a person may add to a mint or a rail. */
export const movementFields = {
  reason: whyOptional,
  wait: z.boolean().optional().meta({ description: "follow it until it is settled or working, refused or held" }),
  propose: z.boolean().optional().meta({ description: "send nothing: propose it as a plan, for others to approve" }),
};

type MovementInput = {
  readonly reason?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly propose?: boolean | undefined;
};

/** What a mint and a rail differ in. `D`: the request as it would be sent now. */
type Movement<I, D> = Pick<MoneyOperation<I>, "name" | "sentence" | "input"> &
  Pick<Following, "accepted" | "restOf"> & {
    /** Checks every known condition. */
    readonly draft: (trader: Trader, input: I) => Promise<D>;
    readonly show: (tell: Asking["tell"], draft: D, input: I, trader: Trader) => void;
    readonly terms: (draft: D, input: I) => Pick<Agreement, "sent" | "worst">;
    readonly step: (trader: Trader, draft: D, input: I) => StepWish | Promise<StepWish>;
    /** With a fresh snapshot of the venue's list: new rows after it are attributed to this request. */
    readonly content: (trader: Trader, draft: D, input: I) => Promise<MovementContent>;
  };

export function movement<I extends MovementInput, D>(one: Movement<I, D>): MoneyOperation {
  const { name, sentence, input, accepted, restOf } = one;
  const ended = (trader: Trader, id: string, { wait = false, propose }: I, asking: Asking): Promise<Ended> =>
    propose === true
      ? planEnd(trader, id, asking)
      : requestEnd(trader, id, { taken: "accepted", accepted, restOf, wait }, asking);
  return moneyOperation<I>({
    ...{ name, sentence, scope: "trade", input, ended },
    async act(trader, wanted, asking) {
      const { wait, propose = false, reason: why } = wanted;
      requireActive(trader);
      if (wait && propose) throw usageFailure("--propose sends nothing that --wait could follow");
      refuseIf(propose ? whyNotProposed(trader.config) : whyNotByHand(trader.config));
      const draft = await one.draft(trader, wanted);
      one.show(asking.tell, draft, wanted, trader);
      const word = propose ? "propose" : name;
      const { asked } = await asking.agree({ word, ...one.terms(draft, wanted), caveats: [] });
      if (propose) return proposeStep(trader, await one.step(trader, draft, wanted), { asked, why });
      const content = await one.content(trader, draft, wanted);
      return ended(trader, await sendMovement(trader, content, { asked, by: asking.by }, why), wanted, asking);
    },
  });
}

/** The lifetime of an approval. */
const EXPIRES_MS = 600_000;

type MovementContent = Pick<MintWish, "kind" | "mint"> | Pick<RailWish, "kind" | "rail" | "isAnother">;

/** Reviewed, reserved and journaled in one turn, which sends it. Returns its id. */
async function sendMovement(
  trader: Trader,
  content: MovementContent,
  { asked, by }: { readonly asked: AskedOperation | undefined; readonly by: string },
  why: string | undefined,
): Promise<string> {
  requireActive(trader);
  const decidedAt = trader.now().at;
  const reason = reasonText("wanted", by, why);
  const wish: MovementWish = { ...content, decidedAt, expiresAt: millis(decidedAt + EXPIRES_MS), reason };
  return sentBy(trader, await trader.take({ kind: "movement", wish, asked }));
}

/** Why mints and rails need a plan; undefined if one person may send them. */
function whyNotByHand({ treasury }: Config): string | undefined {
  const { approvals } = treasury;
  if (isByHand(approvals)) return undefined;
  const { byHand, persons } = approvals;
  const rule = byHand === undefined ? `persons is ${persons}` : "byHand is false";
  const approved = persons === 1 ? "a person has approved" : `${persons} people have approved`;
  const plans = persons === 1 ? "pegbot rebalance --execute" : "--propose or pegbot rebalance --execute,";
  return `treasury.approvals.${rule}: mints and rails go out with a plan that ${approved}, by ${plans} and pegbot approve, unless byHand is true`;
}

/** Why nothing need be proposed. */
function whyNotProposed({ treasury }: Config): string | undefined {
  if (treasury.approvals.persons > 1) return undefined;
  return "--propose is for others to approve, and treasury.approvals.persons is 1";
}

/** `content`: the request as it would be sent now. `cost`: its maximum cost. */
export type StepWish = { readonly step: ContentStep; readonly content: MovementContent; readonly cost: Money };

/** A plan of one step. The gate decides again at execution; what it refuses now is not put up for approval. */
async function proposeStep(
  trader: Trader,
  { step, content, cost }: StepWish,
  { asked, why }: { readonly asked: AskedOperation | undefined; readonly why: string | undefined },
): Promise<Ended> {
  const terms = proposedTerms(trader);
  const wish: MovementWish = { ...content, decidedAt: terms.at, expiresAt: terms.expiresAt, reason: "" };
  const verdict = trader.core().requests.judge(wish, trader.now());
  if (verdict.kind === "refused") throw ruledOut(verdict.refusal);
  const plan = wishRecord(step, cost, { ...terms, why: reasonText("wanted", terms.by, why) });
  const proposing = { plans: [plan], asked, why: (log: PlanLog, at: Millis) => whyWaiting(log, step, at) };
  const { waits = "" } = await propose(trader, proposing, false);
  return { exit: exitCode.done, id: plan.id, outcome: "waiting", text: waits };
}

/** The same command given twice is meant once. */
function whyWaiting(log: PlanLog, step: ContentStep, at: Millis): string | undefined {
  const same = log
    .waiting(at)
    .find(({ plan }) => isWish(plan) && JSON.stringify(contentOf(plan).steps) === JSON.stringify([step]));
  return same && `${same.plan.id} of ${same.plan.by} proposes the same and waits: approve or decline that one`;
}

/** Taken into the books: a changed whitelist freezes rails here. */
export async function whitelist(trader: Trader): Promise<readonly WithdrawAddress[]> {
  const answer = await trader.ask({ witness: "addresses", asset: undefined, class: "balance" });
  return answer.witness === "addresses" ? answer.rows : [];
}

export function amountOf(flag: string, text: string): Money {
  const [amount = "", name = "", ...rest] = text.trim().split(/\s+/);
  const asset = parseAsset(name);
  if (!asset.ok || rest.length > 0)
    throw usageFailure(`${flag} must be an amount and an asset like "100 VCHF", was ${printable(text, 40)}`);
  return orFail(Money.parse(amount, asset.value), flag);
}
