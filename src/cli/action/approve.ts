// `approve ID`: a person agrees to a plan that was proposed, exactly as it stands, before it expires. The running bot carries it
// out once enough people have.

import { IDLE } from "../../bot/seat/idle.ts";
import { pause } from "../../domain/pause.ts";
import { approvalRefusal, type LoggedPlan } from "../../treasury/approval/plan-log.ts";
import { CommandFailure } from "../command-failure.ts";
import { botConfig } from "../config/bot-config.ts";
import { NOT_WIDER, WHO_APPROVES } from "../config/limits-in-force.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Agreed, recordApproval } from "../journal/approval.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { type Person, requireConfirmation } from "../terminal/confirmation.ts";
import { terminalPrompts } from "../terminal/prompts.ts";
import type { Plans } from "../tool/plans.ts";
import { requireActive, type Tool, withTool } from "../tool/tool.ts";
import { type AnswerOptions, refused, showToPerson } from "./plan-answer.ts";
import type { Told } from "./status/ask-bot.ts";
import { whatBecame } from "./status/what-became.ts";
import { botSays } from "./status.ts";

/** The bot looks about once a second. */
const LOOK_MS = 1_000;

export function approve(shell: Shell, id: string, options: AnswerOptions): Promise<ExitCode> {
  const config = botConfig(shell);
  const askBot = (): Promise<Told | undefined> => botSays(shell, config);
  return withTool(shell, { strategy: IDLE, books: "existing" }, (tool) =>
    approveWith(tool, { shell, prompts: terminalPrompts }, id, options, (agreed, plans) =>
      whatBecame(agreed, { known: () => plans.now().get(id), askBot, pause: () => pause(systemTimers, LOOK_MS) }),
    ),
  );
}

function say({ terminal }: Shell, id: string, { json }: AnswerOptions, agreed: Agreed): void {
  if (json) terminal.json({ id, ...agreed });
  else terminal.print(`approved  ${id}  by ${agreed.by}; ${agreed.text}`);
}

export async function approveWith(
  tool: Tool,
  { shell, prompts }: Omit<Person, "stop">,
  id: string,
  options: AnswerOptions,
  follow: (agreed: Agreed, plans: Plans) => Promise<Agreed> = async (agreed) => agreed,
): Promise<ExitCode> {
  requireActive(tool);
  const { plans, known, people, wish } = showToPerson(tool, shell, { id, answer: "approve", key: options.key });
  const wider = tool.widerLimits(WHO_APPROVES);
  if (wider !== undefined) throw new CommandFailure(exitCode.refused, `${wider}; nothing was changed`, NOT_WIDER);
  const early = approvalRefusal(known, wish, people, tool.now().at);
  if (early !== undefined) throw refused(early);
  await requireConfirmation(shell, prompts, { word: "approve", yes: options.yes });
  const agreed = await recordApproval(plans, people, wish, () => tool.now().at);
  const few = whyTooFew(tool, known);
  const said = few === undefined ? await follow(agreed, plans) : { ...agreed, ready: false, text: few };
  say(shell, id, options, said);
  return exitCode.done;
}

/** A bot with the configuration that was just read begins none that is for fewer. */
function whyTooFew({ config }: Pick<Tool, "config">, { plan }: LoggedPlan): string | undefined {
  const { persons } = config.treasury.approvals;
  if (plan.persons >= persons) return undefined;
  return `that does not suffice: it is for ${plan.persons} to approve, and treasury.approvals.persons is ${persons} now; a running bot withdraws its own, and proposes it anew`;
}
