// The rule of a schema that a value broke, in our words: "must be at least 1". For configurations and for what strategies want.

/** Of a complaint of zod, the parts that are put into words. */
export type SchemaIssue = {
  readonly code?: string | undefined;
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** Whether the bound itself is allowed. */
  readonly inclusive?: boolean | undefined;
};

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

/** Undefined where only the schema's own message says it. */
export function brokenRule({ code, expected = "", values = [], ...issue }: SchemaIssue): string | undefined {
  switch (code) {
    case "invalid_type":
      return `must be ${KINDS[expected] ?? expected}`;
    case "invalid_value":
      return `must be ${oneOf(values.map(String))}`;
    case "too_small":
      return `must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "below" : "at most"} ${issue.maximum}`;
    default:
      return undefined;
  }
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
