// What the running bot makes of an approval that was just recorded: it may have been started with other people than the
// configuration names now, be stopped, or wait for prices. It looks about once a second.

import type { Told } from "./status-report.ts";

const ASKED_MAX = 4;

/** Undefined where it is begun, or nobody can say. */
export async function whyNotBegun(
  id: string,
  askBot: () => Promise<Told | undefined>,
  pause: () => Promise<void>,
): Promise<string | undefined> {
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const told = await askBot();
    const plan = told?.kind === "told" ? told.plans.find((one) => one.id === id) : undefined;
    if (plan === undefined || plan.waitsFor !== undefined) return plan?.waitsFor;
    await pause();
  }
  return undefined;
}
