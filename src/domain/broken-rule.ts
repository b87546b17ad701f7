// The rule of a schema that a value broke, in our words: "must be at least 1". For configurations and for strategy
// parameters.

/** The parts of a zod issue that messages use. */
export type SchemaIssue = {
  readonly code?: string | undefined;
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** Whether the bound itself is allowed. */
  readonly inclusive?: boolean | undefined;
  /** Whether only one length is allowed. */
  readonly exact?: boolean | undefined;
  /** The bounded thing: a number, or the length of a text or a list. */
  readonly origin?: string;
  readonly divisor?: number;
  readonly pattern?: string;
  readonly keys?: readonly string[];
  /** For a key: its issues. */
  readonly issues?: readonly SchemaIssue[];
  /** For a union: the issues of each option; empty if the discriminator is unknown. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
  /** The values of the discriminator. */
  readonly options?: readonly unknown[];
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

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

const BE = "must be ";
const MATCH = "must match ";

/** The beginnings of zod's own messages; any other message is the author's and is kept. */
const ZODS_OWN = /^(?:Invalid|Too (?:small|big)|Unrecognized key)/;

/** Undefined if only the schema's own message explains it. */
export function brokenRule(issue: SchemaIssue): string | undefined {
  const { code, expected = "", values = [] } = issue;
  if (!ZODS_OWN.test(issue.message)) return undefined;
  switch (code) {
    case "invalid_type":
      return `must be ${KINDS[expected] ?? expected}`;
    case "invalid_value":
      return `must be ${oneOf(values.map(String))}`;
    case "too_small":
    case "too_big":
      return boundOf(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.pattern === undefined ? undefined : `${MATCH}${issue.pattern}`;
    case "invalid_union":
      return choiceOf(issue);
    default:
      return undefined;
  }
}

/**
 * The option of a union that was meant: one whose type fits the value, or the list of words for a text, or one with a
 * rule in the author's words. Undefined if none stands out.
 */
export function meantOf({ errors = [] }: SchemaIssue, value: unknown): readonly SchemaIssue[] | undefined {
  const misfit = (branch: readonly SchemaIssue[]) => branch.find(isOfTheWhole);
  const fitting = errors.find((branch) => misfit(branch) === undefined);
  const words = typeof value === "string" && errors.find((branch) => misfit(branch)?.code === "invalid_value");
  return fitting ?? (words || errors.find((branch) => !ZODS_OWN.test(misfit(branch)?.message ?? "")));
}

function isOfTheWhole({ path, code = "" }: SchemaIssue): boolean {
  return path.length === 0 && code.startsWith("invalid_");
}

function boundOf({ code, minimum, maximum, inclusive, exact, origin = "" }: SchemaIssue): string {
  const bound = minimum ?? maximum;
  const counted = COUNTED[origin];
  if (counted === undefined) {
    const [within, beyond] = code === "too_small" ? ["at least", "above"] : ["at most", "below"];
    return `must be ${inclusive === false ? beyond : within} ${bound}`;
  }
  const amount = exact === true ? "exactly" : code === "too_small" ? "at least" : "at most";
  return `must have ${amount} ${bound} ${counted[bound === 1 ? 0 : 1]}`;
}

/** The options of a union as one rule: `must be text or a list`. */
function choiceOf({ errors = [], options = [] }: SchemaIssue): string | undefined {
  if (errors.length === 0) return options.length === 0 ? undefined : `must be ${oneOf(options.map(String))}`;
  const misfits = errors.flatMap((branch) => branch.find(isOfTheWhole) ?? []);
  const things = misfits.flatMap((issue) => thingsOf(brokenRule(issue) ?? ""));
  return things.length === 0 ? undefined : `must be ${oneOf([...new Set(things)])}`;
}

/** The alternatives of a rule; a pattern applies to a text and is never split. */
function thingsOf(rule: string): readonly string[] {
  if (rule.startsWith(MATCH)) return [`text that matches ${rule.slice(MATCH.length)}`];
  return rule.startsWith(BE) ? rule.slice(BE.length).split(/, | or /) : [];
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
