// Formats times and durations for people; times are UTC.

/** `0:01:23`, with days in front if there are any. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const part = (size: number, of: number): number => Math.floor(seconds / size) % of;
  const clock = `${part(3_600, 24)}:${two(part(60, 60))}:${two(part(1, 60))}`;
  const days = Math.floor(seconds / 86_400);
  return days === 0 ? clock : `${days}d ${clock}`;
}

/** To the millisecond: `2026-01-31T12:00:00.000Z`. */
export function isoText(at: number): string {
  return new Date(at).toISOString();
}

/** To the second: `2026-01-31T12:00:00Z`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** The time of day, with the date in front unless it is that of `now`. */
export function momentText(at: number, now: number): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return day(at) === day(now) ? timeText(at) : `${day(at)} ${timeText(at)}`;
}

/** The time of day. */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
