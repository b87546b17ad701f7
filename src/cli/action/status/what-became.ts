// What became of an approval that was just recorded. The journal says that the plan was begun or ended; only the running bot knows
// what it waits for: it may have been started with other people than the configuration names now, be stopped, or wait for
// prices. It looks about once a second.

import type { Agreed } from "../../../app/journal/approval.ts";
import type { LoggedPlan } from "../../../treasury/approval/plan-log.ts";
import type { Told } from "./ask-bot.ts";

const ASKED_MAX = 4;
const SHOWN = "pegbot status shows what becomes of it";

export type Witnesses = {
  /** The plan as the journal has it now. */
  readonly known: () => LoggedPlan | undefined;
  /** Undefined where none is known to run. */
  readonly askBot: () => Promise<Told | undefined>;
  readonly pause: () => Promise<void>;
};

export async function whatBecame(agreed: Agreed, { known, askBot, pause }: Witnesses): Promise<Agreed> {
  if (!agreed.ready) return agreed;
  let silence = "";
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const recorded = recordedOf(known());
    if (recorded !== undefined) return { ...agreed, ...recorded };
    const told = await askBot();
    if (told === undefined) return { ...agreed, text: "no bot is known to run: start one before it expires" };
    silence = told.kind === "silent" ? ` (${told.why})` : "";
    const plan =
      told.kind === "told" ? told.status.treasury?.plans.find(({ id }) => id === known()?.plan.id) : undefined;
    if (plan?.waitsFor !== undefined)
      return { ...agreed, ready: false, text: `the running bot does not begin it: ${plan.waitsFor}` };
    await pause();
  }
  const recorded = recordedOf(known());
  return { ...agreed, ...(recorded ?? { text: `the running bot has not begun it yet${silence}; ${SHOWN}` }) };
}

function recordedOf(known: LoggedPlan | undefined): Pick<Agreed, "ready" | "text"> | undefined {
  const last = known?.progress.at(-1);
  if (last === undefined) return undefined;
  switch (last.state) {
    case "begun":
    case "step":
      return { ready: true, text: `the running bot has begun it; ${SHOWN}` };
    case "done":
      return { ready: true, text: `it is done: ${last.text}` };
    default:
      return { ready: false, text: `it was ${last.state}: ${last.text}` };
  }
}
