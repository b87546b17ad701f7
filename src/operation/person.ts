// Who asks, and why, as the journal has it.

import { userInfo } from "node:os";
import { printable } from "../domain/sanitise.ts";
import { OWN } from "../treasury/approval/plan-content.ts";

export const REASON_MAX = 200;

/** The machine's user name; there is no other identity to ask for. */
export function personHere(user: () => { readonly username: string } = userInfo): string {
  try {
    const name = printable(user().username, 64);
    // In the journal that bare name is the bot's own.
    return name === OWN ? `user ${name}` : name;
  } catch {
    // A user id without a name, as in some containers.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** `wanted by anna: month end`, for the journal. */
export function reasonText(verb: string, by: string, why: string | undefined): string {
  return why === undefined ? `${verb} by ${by}` : `${verb} by ${by}: ${printable(why, REASON_MAX)}`;
}
