// The issues of a schema as sentences for people: `params.edgeBps must be at least 0, was -1`. For parsed values;
// configurations, which also have lines and columns, have their own.

import { brokenRule, meantOf, type SchemaIssue } from "./broken-rule.ts";
import { printable } from "./sanitise.ts";

/** `nameOf` returns the name of the value at a path. */
export function complaintsOf(
  issues: readonly SchemaIssue[],
  given: unknown,
  nameOf: (path: readonly PropertyKey[]) => string,
): readonly string[] {
  return issues.flatMap((issue) => complaintOf(issue, given, nameOf));
}

function complaintOf(
  issue: SchemaIssue,
  given: unknown,
  nameOf: (path: readonly PropertyKey[]) => string,
): readonly string[] {
  const { path } = issue;
  const name = printable(nameOf(path), 100);
  const value = path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown> | null)?.[step], given);
  if (issue.code === "unrecognized_keys") return (issue.keys ?? []).map((key) => `${name} takes no ${printable(key)}`);
  const meant = issue.code === "invalid_union" ? meantOf(issue, value) : undefined;
  if (meant !== undefined)
    return complaintsOf(
      meant.map((inner) => ({ ...inner, path: [...path, ...inner.path] })),
      given,
      nameOf,
    );
  // A message in the form of our rules is used unchanged.
  const rule = issue.message.startsWith("must ") ? issue.message : brokenRule(issue);
  if (rule === undefined) return [`${name}: ${issue.message}`];
  if (value === undefined) return [`${name} is missing: it ${rule}`];
  return [`${name} ${rule}, was ${shownValue(value)}`];
}

export function shownValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string") return JSON.stringify(printable(value, 40));
  return Array.isArray(value) ? "a list" : typeof value;
}
