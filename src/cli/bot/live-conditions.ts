// What must be true before real money moves, beyond what the configuration's own rules and the books have checked: the
// journal belongs to the first host that answered, and this machine's clock is right. Each refusal says which condition it is and what
// to do. The last condition, a clean reconcile, is the pipeline's own.

import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Exchange } from "../../exchange/port.ts";
import { checkClock } from "../action/doctor/check-clock.ts";
import { CommandFailure } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { createDurably, readSmall } from "../latch/durable-text.ts";
import type { Shell } from "../shell.ts";

type Asked = { readonly base: URL; readonly exchange: Pick<Exchange, "pairs"> };

export async function requireLiveConditions(shell: Shell, config: Config, venue: Asked): Promise<void> {
  requireHost(config, venue.base);
  await requireClock(shell, venue);
  bindHost(config, venue.base);
}

/** For commands: the venue is asked for its time only where no host is the journal's yet. */
export async function requireLiveHost(shell: Shell, config: Config, venue: Asked): Promise<void> {
  if (config.mode !== "live") return;
  if (requireHost(config, venue.base) === undefined) await requireLiveConditions(shell, config, venue);
}

/** The host that is the journal's, where there is one: no other may be asked. */
function requireHost(config: Config, base: URL): string | undefined {
  const bound = boundHost(config, base);
  if (typeof bound !== "object") return bound;
  throw new CommandFailure(exitCode.usage, bound.cause, bound.next);
}

/** Why this journal is not asked about at this host, before anything is sent there; `doctor` says it too. */
export function otherHost(config: Config): Trouble | undefined {
  const { mode, venue } = config;
  if (mode !== "live" || venue.baseUrl === undefined) return undefined;
  const bound = boundHost(config, new URL(venue.baseUrl));
  return typeof bound === "object" ? bound : undefined;
}

type Trouble = { readonly cause: string; readonly next: string };

function boundHost({ journal, venue }: Config, base: URL): string | undefined | Trouble {
  const path = hostPath(journal.path);
  const ours = `${venue.environment} ${base.host}`;
  const read = readSmall(path);
  if (!read.ok) return { cause: `${path} cannot be read: ${read.error}`, next: "let it be read by this user" };
  const bound = read.value?.trim();
  if (bound === undefined || bound === ours) return bound;
  return {
    cause: `journal ${journal.path} belongs to "${printable(bound)}", the configuration says "${ours}"`,
    next: `correct venue.baseUrl or journal.path; if the venue itself has moved, remove ${path}`,
  };
}

/**
 * Once it has answered, and looked at again: a misspelt host binds nothing, and of two that begin at once the first one does. What
 * comes `before` the file has its name can be watched.
 */
export function bindHost(config: Config, base: URL, before: () => void = () => {}): void {
  if (requireHost(config, base) !== undefined) return;
  const text = `${config.venue.environment} ${base.host}\n`;
  const isOurs = createDurably(hostPath(config.journal.path), text, (step) => step === "rename" && before());
  if (!isOurs) requireHost(config, base);
}

function hostPath(journalPath: string): string {
  return `${journalPath}.host`;
}

/** Asked without a signature: a nonce of a wrong clock could lock the key out. */
async function requireClock({ terminal }: Shell, { exchange }: Asked): Promise<void> {
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
