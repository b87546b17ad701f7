// The conditions for trading real money, beyond those that configuration and books check: the journal is bound to the
// first host that answered, and this machine's clock is right. Each refusal names its condition and the remedy. The
// last condition, a clean comparison with the venue, is checked by the pipeline.

import type { Config } from "../../config/schema.ts";
import { refusedFailure, usageFailure } from "../../domain/command-failure.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Timers } from "../../domain/time.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import type { Exchange } from "../../exchange/port.ts";
import type { Finding } from "../finding.ts";
import type { Shell } from "../shell.ts";
import { readSmall, writeDurably } from "../system/durable-text.ts";

/** In addition to the backoff of a failing call. */
const ASK_AGAIN_MS = 1_000;

type Asked = {
  readonly base: URL;
  readonly exchange: Pick<Exchange, "pairs">;
  readonly budget: { readonly file: { status(): Pick<KeyStatus, "paused"> } };
};

/** `unanswered`: the journal has its host, and the venue did not answer or has paused us; the start then waits for it. */
export type Conditions = "met" | "unanswered";

type Told = { readonly terminal: Pick<Shell["terminal"], "note"> };
type Place = Pick<Config, "mode" | "venue"> & { readonly journal: Pick<Config["journal"], "path"> };

export async function requireLiveConditions({ terminal }: Told, config: Place, venue: Asked): Promise<Conditions> {
  const bound = requireHost(config, venue.base);
  // Its slot opens when the pause is over; page and status say until when.
  if (bound !== undefined && venue.budget.file.status().paused !== undefined) return "unanswered";
  terminal.note(`${config.mode}: asking the venue for its time`);
  const reading = await askTime(venue);
  if (bound !== undefined && isForAWhile(reading)) {
    terminal.note(`${silenceText(reading)}; it is asked again until it answers`);
    return "unanswered";
  }
  requireClock(reading);
  bindHost(config, venue.base);
  return "met";
}

/**
 * A machine may boot faster than its network, and a bot that has exited watches nothing: this waits for the next good
 * answer.
 */
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

/** For commands: requests the venue's time only if the journal is not bound to a host yet. */
export async function requireLiveHost(shell: Told, config: Place, venue: Asked): Promise<void> {
  if (config.mode === "paper") return;
  if (requireHost(config, venue.base) === undefined) await requireLiveConditions(shell, config, venue);
}

/** The host the journal is bound to, if any; any other is refused. */
export function requireHost({ journal, venue }: Place, base: URL): string | undefined {
  const path = hostPath(journal.path);
  const ours = `${venue.environment} ${base.host}`;
  const read = readSmall(path);
  if (!read.ok) throw usageFailure(`${path} cannot be read: ${read.error}`, "let it be read by this user");
  const bound = read.value?.trim();
  if (bound === undefined || bound === ours) return bound;
  throw usageFailure(
    `journal ${journal.path} belongs to "${printable(bound)}", the configuration says "${ours}"`,
    `correct venue.baseUrl or journal.path; if the venue itself has moved, remove ${path}`,
  );
}

/** After the first answer, so that a misspelt host binds nothing. Only the owner of the journal's key comes here. */
function bindHost(config: Place, base: URL): void {
  if (requireHost(config, base) !== undefined) return;
  writeDurably(hostPath(config.journal.path), `${config.venue.environment} ${base.host}\n`);
}

function hostPath(journalPath: string): string {
  return `${journalPath}.host`;
}

type Time = Awaited<ReturnType<Exchange["pairs"]>>;

/** Without a signature, because the nonce of a wrong clock could lock the key out. */
function askTime({ exchange }: Asked): Promise<Time> {
  return exchange.pairs({ class: "balance" });
}

/** True for a failure that may pass; an address that no request may reach stays refused. */
function isForAWhile(reading: Time): reading is Extract<Time, { kind: "failed" }> {
  return reading.kind === "failed" && reading.failure.code !== "address-refused";
}

function silenceText(reading: Exclude<Time, { kind: "read" }>): string {
  if (reading.kind !== "failed") return `the venue does not answer: ${printable(reading.reason)}`;
  const { code, message } = reading.failure;
  const why = printable(`${code}: ${message}`);
  return code === "rate-limited"
    ? `the venue rate-limits the key (${why}); another program may be using it`
    : `the venue does not answer: ${why}`;
}

function requireClock(reading: Time): void {
  if (reading.kind !== "read") throw refusedFailure(silenceText(reading), "pegbot doctor says more");
  // Judged by this answer, because the skew in the ledger may be from before a change of the clock.
  const clock = checkClock(reading.at === undefined ? undefined : reading.receivedAt - reading.at);
  if (clock.verdict !== "problem") return;
  throw refusedFailure(`live mode needs a right clock: ${clock.cause}`, clock.next);
}

// Compares this machine's clock with the Date of the venue's latest answer. A Date is truncated to the second, so a
// difference of up to a second means nothing.

const OK_MS_MAX = 2_000;
const WARNING_MS_MAX = 30_000;
/** One answer does not show whose clock is wrong. */
const CLOCKS_APART =
  "orders go by the venue's time; if NTP says that this machine's clock is right (timedatectl, chronyc tracking) tell the venue, else let NTP set it";
const DATE_MS = 1_000;
const SHOWN_MS_MIN = 50;

/** `skewMs` is our wall clock minus the Date; undefined if the answer had none. */
export function checkClock(skewMs: number | undefined): Finding {
  const check = "clock";
  if (skewMs === undefined)
    return {
      check,
      verdict: "problem",
      cause: "the venue's answer has no readable Date, and without one no nonce is drawn",
      next: "is there a proxy in between that takes it away? check venue.baseUrl",
    };
  const offMs = skewMs < 0 ? -skewMs : Math.max(0, skewMs - DATE_MS);
  // A difference that would print as 0.0 s is network latency, not clock skew.
  if (offMs < SHOWN_MS_MIN) return { check, verdict: "ok", cause: "within a second of the venue's" };
  const cause = `${(offMs / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's, limit is ${WARNING_MS_MAX / 1_000} s`;
  if (offMs <= OK_MS_MAX) return { check, verdict: "ok", cause };
  const verdict = offMs <= WARNING_MS_MAX ? "warning" : "problem";
  return { check, verdict, cause, next: CLOCKS_APART };
}
