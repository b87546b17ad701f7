// What must be true before real money moves, beyond what the configuration's own rules and the books have checked: the
// environment belongs to one host, and this machine's clock is right. Each refusal says which condition it is and what
// to do. The last condition, a clean reconcile, is the pipeline's own.

import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/outside-text.ts";
import { checkClock } from "../action/doctor/check-clock.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { readSmall, writeDurably } from "../latch/durable-text.ts";
import type { Shell } from "../shell.ts";
import type { OpenedVenue } from "./open-venue.ts";

export async function requireLiveConditions(shell: Shell, config: Config, venue: OpenedVenue): Promise<void> {
  requireHost(config, venue.base);
  await requireClock(shell, venue);
}

/** The first host that a live journal trades with is its only one, for commands too. */
export function requireHost({ mode, journal, venue }: Config, base: URL): void {
  if (mode !== "live") return;
  const path = `${journal.path}.host`;
  const ours = `${venue.environment} ${base.host}`;
  const read = readSmall(path);
  if (!read.ok) throw new CommandFailure(exitCode.usage, `${path} cannot be read: ${read.error}`);
  const bound = read.value?.trim();
  if (bound === undefined) writeDurably(path, `${ours}\n`);
  if (bound === undefined || bound === ours) return;
  throw new CommandFailure(
    exitCode.usage,
    `journal ${journal.path} belongs to "${printable(bound)}", the configuration says "${ours}"`,
    `correct venue.baseUrl or journal.path; if the venue itself has moved, remove ${path}`,
  );
}

/** Asked without a signature: a nonce of a wrong clock could lock the key out. */
async function requireClock({ terminal }: Shell, { exchange }: OpenedVenue): Promise<void> {
  terminal.note("live: asking the venue for its time");
  const reading = await exchange.pairs({ class: "balance" });
  if (reading.kind !== "read") {
    const why = reading.kind === "failed" ? `${reading.failure.code}: ${reading.failure.message}` : reading.reason;
    throw new CommandFailure(
      exitCode.refused,
      `the venue does not answer: ${printable(why)}`,
      "pegbot doctor says more",
    );
  }
  // By this answer: what the ledger knows may be of an hour when the clock was another.
  const clock = checkClock(reading.at === undefined ? undefined : reading.receivedAt - reading.at);
  if (clock.verdict === "ok") return;
  throw new CommandFailure(exitCode.refused, `live mode needs a right clock: ${clock.cause}`, clock.next);
}
