// What must be true before real money moves, beyond what the configuration's own rules and the books have checked: the
// journal belongs to the first host that answered, and this machine's clock is right. Each refusal says which condition it is and what
// to do. The last condition, a clean reconcile, is the pipeline's own.

import type { Config } from "../../config/schema.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { Exchange } from "../../exchange/port.ts";
import { refusedFailure, usageFailure } from "../command-failure.ts";
import { createDurably, readSmall } from "../kill-switch/durable-text.ts";
import type { Shell } from "../shell.ts";
import { checkClock } from "./check-clock.ts";

/** Beside the rests that a failing call is given. */
const ASK_AGAIN_MS = 1_000;

type Asked = { readonly base: URL; readonly exchange: Pick<Exchange, "pairs"> };

/** `unanswered`: the venue of a journal that has its host was asked, and gave no answer. Then it is waited for. */
export type Conditions = "met" | "unanswered";

export async function requireLiveConditions({ terminal }: Shell, config: Config, venue: Asked): Promise<Conditions> {
  const bound = requireHost(config, venue.base);
  terminal.note("live: asking the venue for its time");
  const reading = await askTime(venue);
  if (bound !== undefined && isForAWhile(reading)) {
    terminal.note(`${silenceText(reading)}; it is asked again until it answers`);
    return "unanswered";
  }
  requireClock(reading);
  bindHost(config, venue.base);
  return "met";
}

/** A machine may be up again before its network, and a bot that is gone watches over nothing: the next good answer is waited for. */
export async function waitForAnswer(venue: Asked, timers: Timers, stop: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((end) => {
    if (stop.aborted) end(undefined);
    stop.addEventListener("abort", () => end(undefined), { once: true });
  });
  while (!stop.aborted) {
    const reading = await Promise.race([askTime(venue), stopped]);
    if (reading?.kind === "read") return requireClock(reading);
    await Promise.race([new Promise<void>((go) => void timers.after(ASK_AGAIN_MS, go)), stopped]);
  }
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
  throw usageFailure(bound.cause, bound.next);
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

type Time = Awaited<ReturnType<Exchange["pairs"]>>;

/** Asked without a signature: a nonce of a wrong clock could lock the key out. */
function askTime({ exchange }: Asked): Promise<Time> {
  return exchange.pairs({ class: "balance" });
}

/** An address that no request may reach stays so. */
function isForAWhile(reading: Time): reading is Extract<Time, { kind: "failed" }> {
  return reading.kind === "failed" && reading.failure.code !== "address-refused";
}

function silenceText(reading: Exclude<Time, { kind: "read" }>): string {
  if (reading.kind !== "failed") return `the venue does not answer: ${printable(reading.reason)}`;
  const { code, message } = reading.failure;
  const why = printable(`${code}: ${message}`);
  return code === "rate-limited"
    ? `the venue says that we ask too often (${why}), and somebody else may be using the key`
    : `the venue does not answer: ${why}`;
}

function requireClock(reading: Time): void {
  if (reading.kind !== "read") throw refusedFailure(silenceText(reading), "pegbot doctor says more");
  // By this answer: what the ledger knows may be of an hour when the clock was another.
  const clock = checkClock(reading.at === undefined ? undefined : reading.receivedAt - reading.at);
  if (clock.verdict === "ok") return;
  throw refusedFailure(`live mode needs a right clock: ${clock.cause}`, clock.next);
}
