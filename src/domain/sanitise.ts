// Text from outside (venue messages, file contents, names) on its way to a screen, a log or a page: control,
// bidirectional and invisible characters are escaped, secrets are redacted and the length is cut, so that it cannot
// move a cursor, reverse a line or fill a disk.

import { redacted, withoutLoaded } from "./redact.ts";

const LENGTH_MAX = 200;

// Controls (C0, C1), formats (bidi marks and overrides, zero-width, tags), line and paragraph separators, lone
// surrogates, private use: none is readable text. The backslash itself stays: the result is for reading and not for
// parsing.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;
/** Except line breaks, which long documents have for each value. */
const UNPRINTABLE_IN_LINE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]--\n]/gv;

export function printable(given: string, lengthMax: number = LENGTH_MAX): string {
  const text = given.length > lengthMax ? redacted(given) : withoutLoaded(given);
  if (text.length <= lengthMax && isPlain(text)) return text;
  // Cut before escaping, so that the work is bounded as well; never through a surrogate pair.
  const end =
    text.length > lengthMax ? lengthMax - (isHighSurrogate(text.charCodeAt(lengthMax - 1)) ? 1 : 0) : text.length;
  const shown = text.slice(0, end).replace(UNPRINTABLE, escaped);
  return end < text.length ? `${shown}... (${text.length} characters)` : shown;
}

/** An invalid value, for the end of a refusal: `"VCHF\\n"`, `null`, `number`. */
export function quoted(value: unknown, lengthMax = 40): string {
  if (typeof value !== "string") return value === null ? "null" : typeof value;
  return `"${printable(value, lengthMax)}"`;
}

/** The same JSON document with these characters in JSON escapes; line breaks are layout, and stay. */
export function printableJson(json: string): string {
  const units = (character: string): string[] => character.split("").map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  return json.replace(UNPRINTABLE_IN_LINE, (character) => units(character).join(""));
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${hex(code, 2)}` : code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 1)}}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** From space to tilde: nearly every text, and much faster than the expression. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
