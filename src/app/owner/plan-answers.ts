// The plans that wait, and a person's answer to one, decided on in a turn of the owner: a plan that has meanwhile
// expired, begun or been answered by the same person is refused there.

import type { PlanDecision } from "../../bot/input.ts";
import { LineClosed, type OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import { needsTokenToLook } from "../../domain/exposure.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import { stopBy } from "../../operation/money.ts";
import type { Asker, Owner } from "../../operation/owner.ts";
import { personHere } from "../../operation/person.ts";
import type { WaitingPlan } from "../../operation/plan.ts";
import { treasuryTermsOf } from "../../operation/terms/treasury-terms.ts";
import { joined, type TradingState } from "../../risk/trading-state.ts";
import { contentOf, isOwn } from "../../treasury/approval/plan-content.ts";
import {
  answerRefusal,
  approvalRefusal,
  beginnable,
  type LoggedPlan,
  type PlanLog,
} from "../../treasury/approval/plan-log.ts";
import { edgesOf, type HoldingChange } from "../../treasury/plan/holding.ts";
import { holdingsAfterSteps, holdingsFor } from "../../treasury/rebalancer/treasury-view.ts";
import { OWNER } from "../key/control-token.ts";

type Parts = {
  readonly config: Config;
  readonly line: OperationLine;
  readonly killFile: { standing(): TradingState };
};

type Plans = Pick<Owner, "plans" | "approve" | "decline">;
type Decide = (log: PlanLog, at: Millis) => PlanDecision | string;

export function planAnswers({ config, line, killFile }: Parts): Plans {
  const { people, persons } = config.treasury.approvals;

  async function answered<T>(wished: string, asker: Asker, decide: (by: string) => Decide, told: (by: string) => T) {
    const person = personOf(config, asker);
    // A caller on the socket is its user. Otherwise one holder of a token could answer as two people.
    if (asker.token !== undefined && wished !== person) return err(unproved(wished, person));
    const by = person ?? wished;
    try {
      await line.restored();
      const { refusal } = await line.take({ kind: "plan", decide: decide(by) });
      return refusal === undefined ? ok(told(by)) : err(`${refusal.message}; nothing was changed`);
    } catch (error) {
      if (error instanceof LineClosed) return err(error.message);
      throw error;
    }
  }

  return {
    async plans() {
      const { core, now } = await line.restored();
      const { at } = now();
      const waiting = core().rebalancer?.log.waiting(at) ?? [];
      const terms = treasuryTermsOf(config);
      const plans = waiting.map((one) => {
        const { steps } = contentOf(one.plan);
        return shown(one, holdingsAfterSteps(steps, holdingsFor(one.plan, core(), terms, at)));
      });
      return ok({ at, plans });
    },

    async approve({ id, digest, by: wished }, asker) {
      const { core } = await line.restored();
      let ready: Result<unknown> = err("");
      const decide =
        (by: string): Decide =>
        (log, at) => {
          const known = log.get(id);
          const stopped = stopBy(joined(killFile.standing(), core().books.counters.tradingState));
          const approval = { kind: "approval", at, id, digest, by } as const;
          const refusal = stopped?.message ?? approvalRefusal(known, approval, people, at);
          if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
          ready = beginnable({ ...known, approvals: [...known.approvals, approval] }, people, at);
          // A bot with the present configuration does not begin a plan made for fewer approvals.
          if (known.plan.persons < persons) ready = err(tooFewText(known.plan.persons, persons));
          return { records: [approval] };
        };
      return answered(wished, asker, decide, (by) => ({
        by,
        ready: ready.ok,
        text: ready.ok ? "the running bot carries it out; without one, start it" : ready.error,
      }));
    },

    decline({ id, digest, reason, by: wished }, asker) {
      let text = "nobody carries it out";
      const decide =
        (by: string): Decide =>
        (log, at) => {
          const known = log.get(id);
          const refusal = answerRefusal(known, { digest, by }, people, at);
          if (known === undefined || refusal !== undefined) return refusal ?? "the journal knows no such plan";
          if (isOwn(known.plan)) text = "nobody carries it out, and the bot makes no plan of its own for an hour";
          return {
            records: [{ kind: "plan-progress", at, id, state: "declined", text: printable(reason, 200), by }],
          };
        };
      return answered(wished, asker, decide, (by) => ({ by, text }));
    },
  };
}

/** A token stands for the person of its name; the bot's own for its user, where it cannot come from another machine. */
function personOf({ server }: Config, { token }: Asker): string | undefined {
  if (token !== undefined && token !== OWNER.name) return token;
  return needsTokenToLook(server) && token !== undefined ? undefined : personHere();
}

function unproved(by: string, person: string | undefined): string {
  const who = person === undefined ? "nobody's name" : `only that this is ${person}`;
  return `the token proves ${who}: ${by} needs a token of that name (pegbot token); nothing was changed`;
}

function tooFewText(plan: number, persons: number): string {
  return `that does not suffice: it is for ${plan} to approve, and treasury.approvals.persons is ${persons} now; a running bot withdraws its own, and proposes it anew`;
}

function shown({ plan, approvals }: LoggedPlan, holdings: readonly HoldingChange[]): WaitingPlan {
  const { id, digest, content, expiresAt, persons, at, by, why } = plan;
  return {
    ...{ id, digest, content, expiresAt, persons, at, by, ...(why !== undefined && { why }) },
    approvals: approvals.map(({ by, at }) => ({ by, at })),
    holdings: holdings.map(({ holding, band, before, after, missingBefore, missingAfter }) => ({
      holding,
      now: String(before),
      after: String(after),
      low: band && edgesOf(band).low?.toString(),
      high: band && edgesOf(band).high?.toString(),
      backTo: band?.left && band.low?.toString(),
      missingNow: String(missingBefore),
      missingAfter: String(missingAfter),
    })),
  };
}
