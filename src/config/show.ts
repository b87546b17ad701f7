// The configuration in force, as data for people and programs: defaults filled in, paths absolute, secrets masked, and for
// every value that is not a default where it came from.

import { holdsPrivateKey } from "../domain/private-key-text.ts";
import { paperLimits } from "../risk/paper-limits.ts";
import { descriptionsAt } from "./description.ts";
import type { Path } from "./document.ts";
import { dotted } from "./explain-issue.ts";
import type { Loaded, Origin } from "./load.ts";

export type Shown = {
  readonly config: unknown;
  readonly origins: Readonly<Record<string, string>>;
  /** The same as YAML, each origin as a comment. */
  readonly lines: readonly string[];
};

const MASK = "***";
/** In place of where it was written: whoever writes the section writes all of it. */
const PAPER_LIMITS = "paper limits";
// Parameters of a strategy are its own business: what sounds like a secret is treated as one.
const SECRET_NAME = /secret|token|password|passphrase|mnemonic|private|credential|api_?key/i;

export function showConfig(loaded: Loaded, file: string): Shown {
  const origins: Record<string, string> = {};
  const lines: string[] = [];
  const leaf = (path: Path, value: unknown): void => {
    const text = `${"  ".repeat(path.length - 1)}${keyText(String(path.at(-1)))}: ${JSON.stringify(value)}`;
    const origin = isPaper && path[0] === "risk" ? PAPER_LIMITS : originText(loaded.originOf(path), file);
    if (origin !== undefined) origins[dotted(path)] = origin;
    lines.push(origin === undefined ? text : `${text}  # ${origin}`);
  };
  const walk = (value: unknown, path: Path): unknown => {
    // A key pasted into a free text is still a key.
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

function isSecret(path: Path): boolean {
  const inParams = path[0] === "strategy" && path[1] === "params" && SECRET_NAME.test(String(path.at(-1)));
  return inParams || descriptionsAt(path).some((description) => description.writeOnly === true);
}

/** Lists and empty mappings are short enough to stand in one line. */
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
