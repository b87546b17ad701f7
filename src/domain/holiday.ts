// Days besides weekends on which neither currency markets nor banks work: two common holidays, and those of the
// configuration.

const EVERYWHERE = ["-12-25", "-01-01"];

/** `midnight` is the start of the day, UTC; `others` are days in the form 2026-12-28. */
export function isHoliday(midnight: number, others: ReadonlySet<string>): boolean {
  const date = new Date(midnight).toISOString().slice(0, 10);
  return EVERYWHERE.some((day) => date.endsWith(day)) || others.has(date);
}
