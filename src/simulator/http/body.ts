// Reads the body of a call: its fields, and every canonical JSON text of them that a valid signature may cover. Numbers
// keep their original digits.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Profile } from "../../exchange/profile.ts";
import { BareNumber, canonicalJson } from "../../exchange/wire/canonical-json.ts";
import type { Acceptance } from "./acceptance.ts";
import type { Endpoint } from "./endpoint.ts";

export type CallBody = {
  /** For form calls: every value as text. */
  readonly form: Readonly<Record<string, string>>;
  /** For the JSON call: the parsed body. */
  readonly value: unknown;
  readonly signedTexts: readonly string[];
};

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const AMOUNT_FIELDS = ["orderqty", "price", "quantity"];
const FIELDS_MAX = 64;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function readCallBody(
  endpoint: Endpoint,
  contentType: string | undefined,
  bytes: Buffer,
  accept: Acceptance,
): Result<CallBody> {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  const text = decoded(bytes);
  if (text === undefined) return err("body must be UTF-8");
  if (endpoint.body === "json")
    return type === JSON_TYPE ? readJsonCall(text) : err(`content type must be ${JSON_TYPE}, was ${type ?? "missing"}`);
  if (type === FORM) return readForm(text, accept);
  if (type === JSON_TYPE && (accept.formCalls.has("json") || (text === "{}" && accept.emptyCall.has("braces"))))
    return readJsonForm(text, accept);
  return err(`content type must be ${FORM}, was ${type ?? "missing"}`);
}

function readForm(text: string, accept: Acceptance): Result<CallBody> {
  if (text === "") return sentEmpty(accept, ["empty", "braces-signed"]) ?? err("an empty call must send {}");
  if (!accept.formCalls.has("form")) return err(`content type must be ${JSON_TYPE}`);
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return err("body must be form-urlencoded, had a broken escape");
  const form: Record<string, string> = Object.create(null);
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > FIELDS_MAX) return err(`body must have at most ${FIELDS_MAX} fields, had ${pairs.length}`);
  for (const [name, value] of pairs) {
    if (name in form) return err(`field ${JSON.stringify(name)} must come once`);
    form[name] = value;
  }
  return withSignedTexts(form, accept);
}

function withSignedTexts(form: Record<string, string>, accept: Acceptance): Result<CallBody> {
  const texts: string[] = [];
  if (accept.formNumbers.has("strings")) {
    const text = canonicalJson(form);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  if (accept.formNumbers.has("numbers")) {
    const text = canonicalJson(
      Object.fromEntries(Object.entries(form).map(([name, value]) => [name, bare(name, value)])),
    );
    if (text.ok) texts.push(text.value);
  }
  return ok({ form, value: undefined, signedTexts: texts });
}

function bare(name: string, value: string): string | BareNumber {
  if (!AMOUNT_FIELDS.includes(name)) return value;
  const number = BareNumber.parse(value);
  return number.ok ? number.value : value;
}

/** A form call sent as JSON: one flat object of texts and numbers. */
function readJsonForm(text: string, accept: Acceptance): Result<CallBody> {
  const value = parseJson(text);
  if (!value.ok) return value;
  const form: Record<string, string> = Object.create(null);
  for (const [name, member] of Object.entries(value.value)) {
    const mayBeText = accept.formNumbers.has("strings") || !AMOUNT_FIELDS.includes(name);
    if (typeof member === "string" && mayBeText) form[name] = member;
    else if (member instanceof BareNumber && accept.formNumbers.has("numbers")) form[name] = member.text;
    else return err(`field ${JSON.stringify(name)} must be a ${mayBeText ? "text" : "number"}`);
  }
  if (Object.keys(form).length === 0)
    return sentEmpty(accept, ["braces"]) ?? err("an empty call must send an empty body");
  const signed = canonicalJson(value.value);
  return signed.ok ? ok({ form, value: undefined, signedTexts: [signed.value] }) : signed;
}

function readJsonCall(text: string): Result<CallBody> {
  const value = parseJson(text);
  if (!value.ok) return value;
  const signed = canonicalJson(value.value);
  return signed.ok ? ok({ form: {}, value: JSON.parse(text), signedTexts: [signed.value] }) : signed;
}

/** What may be signed of an empty call that was sent in one of these forms; undefined if none of them is taken. */
function sentEmpty(accept: Acceptance, forms: readonly Profile["emptyCall"][]): Result<CallBody> | undefined {
  const taken = forms.filter((form) => accept.emptyCall.has(form));
  const signedTexts = taken.map((form) => (form === "empty" ? "" : "{}"));
  return taken.length === 0 ? undefined : ok({ form: {}, value: undefined, signedTexts });
}

function parseJson(text: string): Result<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text, exactNumbers);
  } catch {
    return err("body must be JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return err("body must be a JSON object");
  return ok(value as Record<string, unknown>);
}

/**
 * The source text of a number becomes a BareNumber; a number outside that grammar (with an exponent) invalidates the
 * whole body.
 */
function exactNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number") return value;
  const number = BareNumber.parse(context?.source ?? String(value));
  if (!number.ok) throw new SyntaxError(number.error);
  return number.value;
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}
