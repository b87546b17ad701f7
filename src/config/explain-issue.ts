// A schema's complaint in the words of the reader: path, rule, value, and what was probably meant.

import type { z } from "zod";
import { brokenRule } from "../domain/broken-rule.ts";
import { printable } from "../domain/outside-text.ts";
import { keysAt } from "./description.ts";
import type { Path } from "./document.ts";
import { suggestion } from "./suggestion.ts";

type Issue = z.core.$ZodIssue;

export type Complaint = {
  readonly path: Path;
  /** Whether the key itself is wrong, or what stands behind it. */
  readonly at: "key" | "value";
  readonly text: string;
};

/** Gives the value at a path, and how it was written when that is known. */
export type Lookup = (path: Path) => { readonly value: unknown; readonly source: string | undefined };

export function explainIssues(issues: readonly Issue[], lookup: Lookup): Complaint[] {
  const complaints = issues.flatMap((issue) => explainIssue(issue, lookup));
  // One complaint per place: a value that breaks two rules of its field has one mistake, and the last rule is the narrowest.
  return [...new Map(complaints.map((complaint) => [`${complaint.at} ${dotted(complaint.path)}`, complaint])).values()];
}

/** `venue.profile`, `risk.symbols[0]`. */
export function dotted(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : `${text}${text === "" ? "" : "."}${shownKey(step)}`,
    "",
  );
}

function unknownKey(path: Path): string {
  const parent = path.slice(0, -1);
  const known = keysAt(parent);
  const hint = suggestion(String(path.at(-1)), known);
  const others =
    known.length === 0 ? `; ${dotted(parent)} takes no keys in this version` : `; known here: ${known.join(", ")}`;
  return `unknown key ${dotted(path)}${hint === "" ? others : hint}`;
}

function explainIssue(issue: Issue, lookup: Lookup): Complaint[] {
  const path = issue.path;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], at: "key", text: unknownKey([...path, key]) }));
  if (issue.code === "invalid_key")
    return [{ path, at: "key", text: `key ${dotted(path)} ${issue.issues[0]?.message ?? "is not allowed here"}` }];
  if (issue.code === "invalid_union" && issue.errors.length > 0) return explainChoice(issue, lookup);
  const { value, source } = lookup(path);
  const name = path.length === 0 ? "the configuration" : dotted(path);
  if (value === undefined) return [{ path, at: "value", text: `${name} is missing: it ${rule(issue)}` }];
  return [{ path, at: "value", text: `${name} ${rule(issue)}${was(issue, value, source)}${hintOf(issue, value)}` }];
}

/** Of several shapes, the one whose own kind fits the value is the one that was meant. */
function explainChoice(issue: Extract<Issue, { code: "invalid_union" }>, lookup: Lookup): Complaint[] {
  const kindOf = (branch: readonly Issue[]): string =>
    branch.find((inner) => inner.path.length === 0 && inner.code.startsWith("invalid_"))?.code ?? "fits";
  const meant =
    issue.errors.find((branch) => kindOf(branch) === "fits") ??
    issue.errors.find((branch) => kindOf(branch) === "invalid_value") ??
    issue.errors[0];
  return (meant ?? []).flatMap((inner) => explainIssue({ ...inner, path: [...issue.path, ...inner.path] }, lookup));
}

/** Fields of ours carry their rule as message ("must ..."); for the others it is made from the kind of complaint. */
function rule(issue: Issue): string {
  if (issue.message.startsWith("must ")) return issue.message;
  return brokenRule(issue) ?? `must be right: ${issue.message}`;
}

function hintOf(issue: Issue, value: unknown): string {
  if (issue.code === "invalid_value" && typeof value === "string") return suggestion(value, issue.values.map(String));
  if (issue.code === "custom" && typeof issue.params?.hint === "string") return issue.params.hint;
  return "";
}

/** `, was "papr"`. What stands under `key` is never repeated: it may be the key itself. */
function was(issue: Issue, value: unknown, source: string | undefined): string {
  if (issue.path[0] === "key") return "";
  if (value === null) return ", was empty";
  if (Array.isArray(value)) return ", was a list";
  if (typeof value === "object") return ", was a mapping";
  if (typeof value === "string") return `, was "${printable(withoutCredentials(value), 60)}"`;
  // The text is what is missing: 12.5 in a file is a float, "12.5" is an amount.
  const textWanted = issue.code === "invalid_type" && issue.expected === "string";
  const kind = textWanted && typeof value === "number" ? "the unquoted number " : "";
  return `, was ${kind}${printable(source ?? String(value), 60)}`;
}

/** An address may carry a password, or a token in its query: what is wrong with it is said without them. */
function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/).*@/s, "$1***@").replace(/(:\/\/[^?#]*[?#]).+/s, "$1***");
}

function shownKey(step: PropertyKey): string {
  return printable(String(step), 40);
}
