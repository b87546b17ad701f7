// What the page says of a status, in the words of the screen, the log and the commands: made here, so that each sentence has one
// author.

import type { Status } from "../../status.ts";
import { ALL_ANEW, acceptedTexts } from "../../text/accepted-text.ts";
import { againTexts } from "../../text/again-text.ts";
import { agreeText } from "../../text/agree-text.ts";
import { clockText } from "../../text/clock-text.ts";
import { doingText, unsaidReasons } from "../../text/doing-text.ts";

export type Words = {
  readonly doing: string;
  /** Why it is not ready, where no stop and no phase says it already. */
  readonly unsaid: readonly string[];
  /** What would stop it again after a resume, with what to do first. */
  readonly again: readonly string[];
  /** What a resume accepts, and what becomes of the figures. */
  readonly accepts: readonly string[];
  readonly forgiven: string;
  /** Of a stop over balances: whether they agree again, and since when. */
  readonly balances?: string | undefined;
  /** How far our clock is from the venue's; absent where they agree. */
  readonly skew?: string | undefined;
};

export function wordsOf(status: Status): Words {
  // Of a person's own stop nothing is accepted.
  const isOwn = status.standing.cause === "person";
  return {
    doing: doingText(status),
    unsaid: unsaidReasons(status),
    again: againTexts(status.standing),
    accepts: isOwn ? [] : acceptedTexts(status.limits).map((text) => `accepts ${text}`),
    forgiven: isOwn ? "all figures stay: a limit that is still broken stops the bot again" : ALL_ANEW,
    balances: agreeText(status.standing, status.balancesAgreeSince),
    skew: clockText(status.budget?.skewMs),
  };
}
