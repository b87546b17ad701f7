// The configuration in force, as data for people and programs: defaults filled in, paths absolute, secrets masked, with
// the origin of every value that is not a default.

import { holdsPrivateKey } from "../domain/redact.ts";
import { paperLimits } from "../risk/paper-limits.ts";
import { isSecret } from "./description.ts";
import type { Path } from "./document.ts";
import { dotted } from "./explain-issue.ts";
import type { Loaded, Origin } from "./load.ts";

export type Shown = {
  readonly config: unknown;
  readonly origins: Readonly<Record<string, string>>;
  /** The same as YAML, with each origin as a comment. */
  readonly lines: readonly string[];
};

const MASK = "***";
/** The origin of paper limits; a section in the file replaces all of them. */
const PAPER_LIMITS = "paper limits";

export function showConfig(loaded: Loaded, file: string): Shown {
  const origins: Record<string, string> = {};
  const lines: string[] = [];
  const leaf = (path: Path, value: unknown): void => {
    const text = `${"  ".repeat(path.length - 1)}${keyText(String(path.at(-1)))}: ${JSON.stringify(value)}`;
    const preset = path[0] === "risk" && loaded.preset !== undefined ? `preset ${loaded.preset}` : undefined;
    const origin = isPaper && path[0] === "risk" ? PAPER_LIMITS : (originText(loaded.originOf(path), file) ?? preset);
    if (origin !== undefined) origins[dotted(path)] = origin;
    lines.push(origin === undefined ? text : `${text}  # ${origin}`);
  };
  const walk = (value: unknown, path: Path): unknown => {
    // A private key in a free text is masked as well.
    if (isSecret(path) || (typeof value === "string" && holdsPrivateKey(value))) value = MASK;
    if (!isBranch(value)) {
      leaf(path, value);
      return value;
    }
    if (path.length > 0) lines.push(`${"  ".repeat(path.length - 1)}${keyText(String(path.at(-1)))}:`);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]));
  };
  const { mode, risk } = loaded.config;
  const isPaper = mode === "paper" && risk === undefined;
  const inForce = isPaper ? { ...loaded.config, risk: paperLimits } : loaded.config;
  const config = walk(JSON.parse(JSON.stringify(inForce)), []);
  return { config, origins, lines };
}

/** Lists and empty mappings fit in one line. */
function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function keyText(key: string): string {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(key) ? key : JSON.stringify(key);
}

function originText(origin: Origin | undefined, file: string): string | undefined {
  if (origin === undefined) return undefined;
  return "variable" in origin ? origin.variable : `${file}:${origin.place.line}:${origin.place.column}`;
}
