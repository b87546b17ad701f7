// Why a question had no slot beside a bot: where its requests take many seconds each, it is the venue or the network that is slow,
// and nobody else uses the key. Told by how many slots the key had while the question waited.

import type { LedgerStatus } from "../../../exchange/budget/ledger-status.ts";
import type { Explanation } from "./finding.ts";

/** A request that takes this long has its slot for as long as ten others. */
const SLOW_MS = 10_000;

type Seen = Pick<LedgerStatus, "bot" | "slots">;

export function slowAnswers(before: Seen, after: Seen, waitedMs: number): Explanation | undefined {
  const slots = after.slots - before.slots;
  if (after.bot === undefined || slots * SLOW_MS > waitedMs) return undefined;
  const requests = slots === 1 ? "1 request" : `${slots} requests`;
  return {
    cause: `the venue or the network is too slow: in ${Math.round(waitedMs / 1_000)} s the key had ${requests}, where one a second may be, and the bot, process ${after.bot.pid}, needed them all`,
    next: "its log names what was not answered in time (timeout), and pegbot status says since when; check the network, and if it stays ask the venue's support",
  };
}
