// The ledger of the key: who has the slot and what for, who waits, which bot owns the key, and whether the nonce and the
// pacing are in good order.

import type { Millis } from "../../../domain/time.ts";
import type { LedgerStatus } from "../../../exchange/budget/ledger-status.ts";
import type { CommandFailure } from "../../command-failure.ts";
import type { Explanation, Finding } from "./finding.ts";

const check = "ledger";
/** Longer than any request may take. */
const HELD_MS_MAX = 30_000;
const NONCE_AHEAD_MS_MAX = 2_000;

export function checkLedger(status: LedgerStatus, now: Millis): Finding {
  const told = facts(status, now).join("; ");
  const trouble = troubleOf(status, now);
  return trouble === undefined
    ? { check, verdict: "ok", cause: told }
    : { check, verdict: "warning", cause: `${trouble.cause}; ${told}`, next: trouble.next };
}

export function brokenLedger({ message, next }: CommandFailure): Finding {
  return {
    check,
    verdict: "problem",
    cause: message,
    next: next ?? "see docs/BUDGET.md, and never delete the ledger of a key that is in use: it keeps the last nonce",
  };
}

function facts({ holder, bot, members, waiting, spacingMs, lastNonce }: LedgerStatus, now: Millis): string[] {
  const others = members.length - 1;
  return [
    holder === undefined
      ? "the slot is free"
      : `process ${holder.pid} has the slot since ${new Date(holder.since).toISOString()} for ${holder.what}`,
    ...(waiting.length === 0
      ? []
      : [`waiting: ${waiting.map((bid) => `process ${bid.pid ?? "unknown"} (${bid.class})`).join(", ")}`]),
    bot === undefined ? "no bot runs" : `bot is process ${bot.pid} in ${bot.folder}`,
    others === 1 ? "1 other program uses the key" : `${Math.max(0, others)} other programs use the key`,
    `${Math.round(spacingMs)} ms between requests`,
    lastNonce === undefined ? "no nonce was ever drawn" : `last nonce ${agoText(now - lastNonce)}`,
  ];
}

function agoText(ms: number): string {
  return ms >= 0 ? `${secondsText(ms)} ago` : `${secondsText(-ms)} ahead of this machine's clock`;
}

function secondsText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function troubleOf(status: LedgerStatus, now: Millis): Explanation | undefined {
  const { holder, lastNonce, rateLimitedMsAgo } = status;
  if (status.doubtsOnly)
    return {
      cause: "after a storm of rate-limit answers only orders in doubt may ask",
      next: "find who else uses the key, outside this user and machine; then wait a few minutes",
    };
  if (holder !== undefined && now - holder.since > HELD_MS_MAX)
    return {
      cause: `process ${holder.pid} has held the slot for ${secondsText(now - holder.since)}`,
      next: "its lease runs out by itself; see what that process does",
    };
  if (lastNonce !== undefined && lastNonce - now > NONCE_AHEAD_MS_MAX)
    return {
      cause: "the last nonce is ahead of this machine's clock",
      next: "correct the clock; if it is right, the key is usable again once that time has come",
    };
  const latest = rateLimitedMsAgo.at(-1);
  if (latest !== undefined && latest < 600_000)
    return {
      cause: `the venue complained of the pace ${agoText(latest)}`,
      next: "another program uses the key on another machine or under another user: give it a key of its own",
    };
  return undefined;
}
