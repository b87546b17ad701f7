// Days on which neither the currency markets nor banks work, beside the weekends: the two that everybody keeps, and those that a
// configuration names.

const EVERYWHERE = ["-12-25", "-01-01"];

/** `midnight`: of the day, UTC. `others`: days as 2026-12-28. */
export function isHoliday(midnight: number, others: ReadonlySet<string>): boolean {
  const date = new Date(midnight).toISOString().slice(0, 10);
  return EVERYWHERE.some((day) => date.endsWith(day)) || others.has(date);
}
