// What is said of a time that stands in two columns, a date and a time of day, wherever the table comes from.

import { quoted } from "../../../src/domain/outside-text.ts";
import { otherName } from "./header.ts";

/** By the names in their header. */
export type PartNames = { readonly date: string; readonly timeOfDay: string };

/** A number of seconds since 1970, or of a smaller unit: no date has so many digits. */
const EPOCH = /^\d{9,}(\.\d+)?$/;

/** `reads`: whether a text is a time by itself. */
export function isWholeTime(text: string, reads: () => boolean): boolean {
  return (text.length > "2026-01-31".length && reads()) || EPOCH.test(text);
}

export function wrongParts({ date, timeOfDay }: PartNames, day: string, clock: string): string {
  return `${date} and ${timeOfDay} must be a date (2026-01-31) and a time of day (12:30:05.123), was ${quoted(day)} and ${quoted(clock)}`;
}

/** A whole time beside another column of time: which of the two is meant is not ours to say. */
export function wholePart(name: string, other: string, text: string): string {
  return `a date and a time of day make a time, but ${quoted(name)} is a whole one, was ${quoted(text)}: give ${quoted(other)} ${otherName(other)}`;
}
