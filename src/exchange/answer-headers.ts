// The few headers of an answer that mean something to us, read strictly: what is not in a known form is not there.

import { type Millis, millis } from "../domain/time.ts";

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

export function headerText(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** The venue's clock, to the second. */
export function venueDate(headers: HeaderValues): Millis | undefined {
  return httpDate(headerText(headers, "date"));
}

/** Seconds or a date; anything else is ignored. How much of it is honoured is for the pacing to say. */
export function retryAfterMs(headers: HeaderValues, now: Millis): number | undefined {
  const text = headerText(headers, "retry-after")?.trim();
  if (text === undefined) return undefined;
  const at = httpDate(text);
  const wait = at !== undefined ? at - (venueDate(headers) ?? now) : /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : -1;
  return wait < 0 ? undefined : wait;
}

/** Undefined when the answer says nothing of its charset, or says UTF-8 (or its subset). */
export function foreignCharset(headers: HeaderValues): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headerText(headers, "content-type") ?? "")?.[1]?.toLowerCase();
  return charset === undefined || ["utf-8", "utf8", "us-ascii"].includes(charset) ? undefined : charset.slice(0, 40);
}

function httpDate(text: string | undefined): Millis | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : millis(at);
}
