// Messages to people: whether there is a way to them, and, where a person asks for it, whether a message goes it.

import type { Config } from "../../../config/schema.ts";
import { readNoticeSecrets, sendTest, type TestNotice } from "../../bot/open-notices.ts";
import { CommandFailure } from "../../command-failure.ts";
import type { Shell } from "../../shell.ts";
import { personHere } from "../../terminal/confirmation.ts";
import type { Finding } from "./finding.ts";

const check = "notices";
const CHANNELS = ["webhook", "telegram", "email"] as const;

/** `isSent`: one message by each channel. Unless that is asked for, nothing is said where there is no channel. */
export async function checkNotices(
  { clock }: Pick<Shell, "clock">,
  config: Config,
  isSent: boolean,
): Promise<readonly Finding[]> {
  const channels = CHANNELS.filter((channel) => config.notices[channel] !== undefined);
  if (channels.length === 0) return isSent ? [NONE] : [];
  try {
    const secrets = readNoticeSecrets(config);
    if (isSent) return (await sendTest(config, secrets, clock, personHere())).map(findingOf);
    const next = "pegbot doctor --send-notice sends a test by each";
    return [{ check, verdict: "ok", cause: `by ${channels.join(", ")}, not tried`, next }];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { message, next = "the bot does not start without it" } = error;
    return [{ check, verdict: "problem", cause: message, next }];
  }
}

const NONE: Finding = {
  check,
  verdict: "problem",
  cause: "the section notices has no channel: nobody is told anything",
  next: "name webhook, telegram or email there: docs/CONFIGURATION.md says how",
};

function findingOf({ channel, refusal }: TestNotice): Finding {
  if (refusal === undefined) {
    const cause = `${channel} has taken a test message: look whether it has come`;
    return { check, verdict: "ok", cause };
  }
  const next = `look at notices.${channel}: address, login and receiver; then --send-notice again`;
  return { check, verdict: "problem", cause: `${channel} did not take a test message: ${refusal}`, next };
}
