// Time that runs faster, for tests of whole programs: PEGBOT_TIME_SCALE="40@1780315200000" makes every process that has
// it run 40 times as fast from that moment on, by one shared clock. Live mode refuses it.

import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { quoted } from "../../domain/sanitise.ts";
import { type Clock, millis, mono, type Timers } from "../../domain/time.ts";
import type { HostClock } from "../../exchange/budget/host-clock.ts";
import { CALL_MS_MAX } from "../../strategy/watchdog.ts";

export type TimeScale = {
  readonly factor: number;
  /** The moment at which both clocks agree, in UTC milliseconds. */
  readonly epoch: number;
};

const NAME = "PEGBOT_TIME_SCALE";
const FORM = /^([1-9][0-9]{0,2})@([1-9][0-9]{11,13})$/;

export function parseTimeScale(text: string | undefined): Result<TimeScale | undefined> {
  if (text === undefined || text === "") return ok(undefined);
  const [, factor, epoch] = FORM.exec(text) ?? [];
  if (factor === undefined || epoch === undefined)
    return err(
      `${NAME} must be a whole factor from 1 to 999 and UTC milliseconds, like 40@1780315200000, was ${quoted(text)}`,
    );
  return ok({ factor: Number(factor), epoch: Number(epoch) });
}

/** The scale of this process; a malformed one counts as none until `refuseTimeScale` reports it. */
export function timeScale(): TimeScale | undefined {
  const parsed = parseTimeScale(environment()[NAME]);
  return parsed.ok ? parsed.value : undefined;
}

/** Checked first: a malformed scale, or any scale in live mode, ends the command. */
export function refuseTimeScale(mode: Config["mode"]): void {
  const parsed = parseTimeScale(environment()[NAME]);
  if (!parsed.ok) throw usageFailure(parsed.error);
  if (mode !== "paper" && parsed.value !== undefined)
    throw usageFailure(`${NAME} must not be set in ${mode} mode: the venue's clock is the world's`, "unset it");
}

/** How long a call of the strategy may take. Not shorter than a busy machine may need for a first one. */
export function callMsMax(): number {
  return Math.max(3_000, CALL_MS_MAX / (timeScale()?.factor ?? 1));
}

export function scaledClock(clock: Clock, { factor, epoch }: TimeScale): Clock {
  return {
    now: () => millis(epoch + (clock.now() - epoch) * factor),
    monotonic: () => mono(clock.monotonic() * factor),
  };
}

export function scaledTimers(timers: Timers, { factor }: TimeScale): Timers {
  return { after: (delayMs, run) => timers.after(delayMs / factor, run) };
}

/** Counts as a separate boot, because times of another scale mean nothing in this one. */
export function scaledHost(host: HostClock, { factor, epoch }: TimeScale): HostClock {
  return { boot: `${host.boot} ${factor}@${epoch}`, monotonic: () => mono(host.monotonic() * factor) };
}
