// Explains a schema issue to the reader: path, rule, value, and a suggestion.

import type { z } from "zod";
import { brokenRule, meantOf, type SchemaIssue } from "../domain/broken-rule.ts";
import { printable } from "../domain/sanitise.ts";
import { suggestion } from "../domain/suggestion.ts";
import { configDescription, type Description, isSecret, keysAt } from "./description.ts";
import type { Path } from "./document.ts";
import { GONE } from "./gone.ts";

type Issue = SchemaIssue & { readonly params?: z.core.$ZodIssueCustom["params"] };

export type Complaint = {
  readonly path: Path;
  /** Whether the key is wrong, its value is wrong, or it is missing. */
  readonly at: "key" | "value" | "missing";
  readonly text: string;
};

/** Returns the value at a path, and its source text if known. */
export type Lookup = (path: Path) => { readonly value: unknown; readonly source: string | undefined };

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce((inner, step) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[step], data);
}

/** The file with the issues: the configuration, or another file that people write. */
export type Subject = { readonly name: string; readonly description: () => Description };

const CONFIGURATION: Subject = { name: "the configuration", description: configDescription };

export function explainIssues(issues: readonly Issue[], lookup: Lookup, subject = CONFIGURATION): Complaint[] {
  const complaints = issues.flatMap((issue) => explainIssue(issue, lookup, subject));
  // One complaint per place: a value that breaks two rules of its field is one mistake, and the last rule is the
  // narrowest.
  return [...new Map(complaints.map((complaint) => [`${complaint.at} ${dotted(complaint.path)}`, complaint])).values()];
}

/** Format: `venue.profile`, `risk.symbols[0]`. */
export function dotted(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : `${text}${text === "" ? "" : "."}${shownKey(step)}`,
    "",
  );
}

function unknownKey(path: Path, lookup: Lookup, { description }: Subject): string {
  const replacement = GONE[path.filter((step) => typeof step === "string").join(".")];
  if (replacement !== undefined) return `${dotted(path)} went: ${replacement}`;
  const parent = path.slice(0, -1);
  const known = keysAt(parent, lookup(parent).value, description());
  const hint = suggestion(String(path.at(-1)), known);
  const others =
    known.length === 0 ? `; ${dotted(parent)} takes no keys in this version` : `; known here: ${known.join(", ")}`;
  return `unknown key ${dotted(path)}${hint === "" ? others : hint}`;
}

function explainIssue(issue: Issue, lookup: Lookup, subject: Subject): Complaint[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => {
      return { path: [...path, key], at: "key", text: unknownKey([...path, key], lookup, subject) };
    });
  if (issue.code === "invalid_key") {
    const [inner] = issue.issues ?? [];
    return [
      { path, at: "key", text: `key ${dotted(path)} ${inner === undefined ? "is not allowed here" : rule(inner)}` },
    ];
  }
  const { value, source } = lookup(path);
  // A union with its own rule does not need those of its options.
  const isUnsaid = issue.code === "invalid_union" && !issue.message.startsWith("must ");
  const meant = isUnsaid ? meantOf(issue, value) : undefined;
  if (meant !== undefined)
    return meant.flatMap((inner) => explainIssue({ ...inner, path: [...path, ...inner.path] }, lookup, subject));
  const name = path.length === 0 ? subject.name : dotted(path);
  if (value === undefined) return [{ path, at: "missing", text: `${name} is missing: it ${rule(issue)}` }];
  if (isRemark(issue)) return [{ path, at: "value", text: `${name}: ${issue.message}` }];
  return [{ path, at: "value", text: `${name} ${rule(issue)}${was(issue, value, source)}${hintOf(issue, value)}` }];
}

/** Our fields carry their rule as the message ("must ..."); for others it is derived from the kind of issue. */
function rule(issue: Issue): string {
  if (issue.message.startsWith("must ")) return issue.message;
  return brokenRule(issue) ?? `must be right: ${issue.message}`;
}

/** Whether the message is a whole sentence of the schema's author. */
function isRemark(issue: Issue): boolean {
  return !issue.message.startsWith("must ") && brokenRule(issue) === undefined;
}

function hintOf({ code, values, options, params }: Issue, value: unknown): string {
  if (typeof value === "string" && (code === "invalid_value" || code === "invalid_union"))
    return suggestion(value, (values ?? options ?? []).map(String));
  return code === "custom" && typeof params?.hint === "string" ? params.hint : "";
}

/** Format: `, was "papr"`. Secrets are never repeated, nor a text in the place of a section: it may be its secret. */
function was(issue: Issue, value: unknown, source: string | undefined): string {
  if (issue.path[0] === "key" || isSecret(issue.path)) return "";
  if (value === null) return ", was empty";
  if (Array.isArray(value)) return ", was a list";
  if (typeof value === "object") return ", was a mapping";
  if (issue.expected === "object") return ", was a value";
  if (typeof value === "string") return `, was "${printable(withoutCredentials(value), 60)}"`;
  // The quotes are missing: 12.5 in a file is a float, "12.5" is an amount.
  const textWanted = issue.code === "invalid_type" && issue.expected === "string";
  const kind = textWanted && typeof value === "number" ? "the unquoted number " : "";
  return `, was ${kind}${printable(source ?? String(value), 60)}`;
}

/** An address may carry a password, or a token in its query: messages omit them. */
function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/).*@/s, "$1***@").replace(/(:\/\/[^?#]*[?#]).+/s, "$1***");
}

function shownKey(step: PropertyKey): string {
  return printable(String(step), 40);
}
