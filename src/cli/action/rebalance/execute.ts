// A plan carried out by a person, step by step through the same routes as `order`, `mint` and `rail`. The first step that does
// not end well ends the plan: what is done, what is open and what was not begun is said and journaled.

import { Quantity } from "../../../domain/money/money.ts";
import { printable } from "../../../domain/outside-text.ts";
import { joined } from "../../../risk/standing.ts";
import { type ContentStep, contentOf } from "../../../treasury/approval/plan-content.ts";
import { beginnable, type LoggedPlan } from "../../../treasury/approval/plan-log.ts";
import { draftOf, type RailVia, whyClosed, whyNotWorking } from "../../../treasury/rebalancer/rails.ts";
import { CommandFailure } from "../../command-failure.ts";
import { railDraftsOf } from "../../config/treasury-terms.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Person } from "../../terminal/confirmation.ts";
import { pauseOrStop } from "../../tool/follow.ts";
import { orRefuse, refuseIf, whitelist } from "../../tool/movement.ts";
import { type Plans, progressOf } from "../../tool/plans.ts";
import { personOf } from "../../tool/proposal.ts";
import { requireActive, requireMaySend, type Tool } from "../../tool/tool.ts";
import { mintWith } from "../mint.ts";
import { orderWith, wishOf } from "../order.ts";
import { railWith } from "../rail.ts";

/** What became of the plan, once, at the end. */
export type SayPlan = (outcome: "done" | "stopped" | "waiting", id: string, text: string) => void;

/**
 * Plan, approval and beginning are one transaction: a running bot never finds the plan approved and not begun, which it would
 * take for its own.
 */
export async function execute(
  tool: Tool,
  person: Person,
  plans: Plans,
  approved: LoggedPlan,
  { say, offPeg }: { readonly say: SayPlan; readonly offPeg: boolean },
): Promise<ExitCode> {
  const { terminal } = person.shell;
  const { plan, approvals } = approved;
  const at = () => tool.now().at;
  await plans.write((log) => {
    const busy = log.underWay();
    if (busy !== undefined)
      return `another plan is under way: ${busy.plan.id}; where its process is gone, a running bot ends it`;
    const { begunBy } = log.get(plan.id) ?? approved;
    const people = tool.config.treasury.approvals.people.map(personOf);
    const ready = beginnable({ ...approved, begunBy }, people, at());
    if (!ready.ok) return ready.error;
    return [plan, ...approvals, progressOf(plan, at(), "begun", `${contentOf(plan).steps.length} steps`)];
  });
  const { steps } = contentOf(plan);
  const traded = new Set<string>();
  for (const [index, step] of steps.entries()) {
    terminal.note(`step ${index + 1} of ${steps.length}: ${step.name}`);
    // The next order of a pair finds a price again after a while.
    const { symbol } = step.via.kind === "order" ? step.via : { symbol: undefined };
    if (symbol !== undefined && traded.has(symbol))
      await pauseOrStop(tool, tool.config.treasury.planning.orders.refillMs, person.stop);
    if (symbol !== undefined) traded.add(symbol);
    const { code, why } = await attempt(tool, person, step, { reason: `plan ${plan.id}`, offPeg });
    const text = `${index + 1} ${step.name}: ${WORDS[code]}${why === undefined ? "" : `, ${why}`}`;
    // Only what went through is a step on record: a route that refused is not taken for one that lets through again.
    if (code === exitCode.done) {
      await plans.write(() => [progressOf(plan, at(), "step", text)]);
      continue;
    }
    const left = steps.slice(index + 1).map(({ name }) => name);
    const open = `${index} of ${steps.length} steps done; ${text}; not begun: ${left.join(", ") || "none"}`;
    await plans.write(() => [progressOf(plan, at(), "stopped", open)]);
    say("stopped", plan.id, open);
    return code;
  }
  await plans.write(() => [progressOf(plan, at(), "done", `${steps.length} steps`)]);
  say("done", plan.id, `${steps.length} steps; what is on its way is in pegbot status`);
  return exitCode.done;
}

const WORDS: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: "done",
  [exitCode.failed]: "failed",
  [exitCode.usage]: "cannot be done as it stands",
  [exitCode.refused]: "refused",
  [exitCode.unknown]: "unknown, money may have moved",
  [exitCode.halted]: "stopped by the switch",
  [exitCode.noRuntime]: "no runtime",
};

type Why = { readonly reason: string; readonly offPeg: boolean };
type Attempt = { readonly code: ExitCode; readonly why: string | undefined };

/** What ends a command ends the plan, with its reason: what it threw, or the last that it said. */
async function attempt(tool: Tool, person: Person, step: ContentStep, why: Why): Promise<Attempt> {
  const { terminal } = person.shell;
  let last: string | undefined;
  const say = (write: (line: string) => void) => (line?: string) => {
    last = line ?? last;
    write(line ?? "");
  };
  const heard = { ...terminal, print: say(terminal.print), note: say(terminal.note) };
  try {
    const code = await take(tool, { ...person, shell: { ...person.shell, terminal: heard } }, step, why);
    return {
      code,
      why: code === exitCode.done || last === undefined ? undefined : printable(last.replace(/ +/g, " "), 300),
    };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { code: error.code, why: printable(error.message, 300) };
  }
}

function take(tool: Tool, person: Person, { via, quantity }: ContentStep, { reason, offPeg }: Why): Promise<ExitCode> {
  switch (via.kind) {
    case "order": {
      const wish = wishOf({ side: via.side, symbol: via.symbol, quantity }, { price: via.limit, reason });
      return orderWith(tool, person, wish, { yes: true, cap: true, isWhole: true, offPeg });
    }
    case "mint":
      return mintWith(tool, person, via.asset, {
        chain: via.chain,
        quantity,
        reason,
        feeBpsMax: via.feeBpsMax,
        isOfPlan: true,
        yes: true,
      });
    case "on-ramp":
    case "off-ramp":
      return takeRail(tool, person, { via, quantity }, reason);
  }
}

/** A rail of this content that stands is used again. Either way somebody has to pay on it, and that is waited for. */
async function takeRail(
  tool: Tool,
  person: Person,
  { via, quantity }: { readonly via: RailVia; readonly quantity: string },
  reason: string,
): Promise<ExitCode> {
  const { terminal } = person.shell;
  requireMaySend(tool);
  const draft = orRefuse(draftOf(via, railDraftsOf(tool.config)));
  const standing = tool.desk.executor.treasury.railOf(draft.rail);
  if (standing !== undefined)
    refuseIf(whyClosed(draft, tool.desk.executor.treasury, draft.wallet && (await whitelist(tool))));
  else {
    const direction = via.kind === "on-ramp" ? "on" : "off";
    const options = { yes: true, reason, isOfPlan: true };
    const code = await railWith(tool, person, { direction, template: via.template }, options);
    if (code !== exitCode.done) return code;
  }
  const rail = tool.desk.executor.treasury.railOf(draft.rail);
  if (rail === undefined) return exitCode.failed;
  refuseIf(whyNotWorking(rail) || undefined);
  await expectPayment(tool, rail.id, quantity);
  terminal.note(`a rail moves no money by itself: ${quantity} are to be paid on ${rail.id}`);
  return exitCode.done;
}

/** A rail that stands is used without the gate: what the gate would refuse for is looked at here, under the lock. */
async function expectPayment(tool: Tool, rail: string, quantity: string): Promise<void> {
  const whyStopped = (): string | undefined => {
    const { state, reason } = joined(tool.latch.standing(), tool.desk.engine.context.books.standing);
    return state === "ACTIVE" ? undefined : `RM01: the bot is ${state}: ${printable(reason, 300)}`;
  };
  try {
    await tool.take({ kind: "expectation", rail, amount: Quantity.of(quantity) }, whyStopped);
  } catch (error) {
    requireActive(tool);
    throw error;
  }
}
