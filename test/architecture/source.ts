// Reads one source file as a syntax tree and lists what it imports, in every way the language knows, and which seams it
// opens. Comments and strings cannot fool it; a name that hides a global (a parameter called `fetch`) counts as the
// global, because a reader would be fooled.

import { parseSync } from "vite";
import type { Seam } from "./table.ts";

export type Import = {
  readonly specifier: string;
  readonly line: number;
  /** Loaded with the file that has it: no type, and no import() that waits until it is wanted. */
  readonly isEager: boolean;
};
export type SeamUse = { readonly seam: Seam; readonly what: string; readonly line: number };
export type Source = { readonly path: string; readonly imports: readonly Import[]; readonly seams: readonly SeamUse[] };

type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown };
type Place = { readonly parent: Node | undefined; readonly key: string; readonly inType: boolean };

/** Any mention opens the seam. */
const GLOBALS: Readonly<Record<string, Seam>> = {
  setTimeout: "timer",
  setInterval: "timer",
  setImmediate: "timer",
  console: "console",
  fetch: "network",
  WebSocket: "network",
  EventSource: "network",
  performance: "clock",
  Temporal: "clock",
  eval: "computed import",
  Function: "computed import",
};
/** Globals with harmless parts: these members may be used, or all but these. */
const PARTLY: Readonly<Record<string, { seam: Seam; only?: readonly string[]; except?: readonly string[] }>> = {
  Date: { seam: "clock", only: ["UTC", "parse"] },
  Math: { seam: "chance", except: ["random"] },
  process: { seam: "environment", except: ["env", "hrtime", "uptime"] },
  AbortSignal: { seam: "timer", except: ["timeout"] },
};
const MODULES: Readonly<Record<string, Seam>> = {
  timers: "timer",
  "timers/promises": "timer",
  perf_hooks: "clock",
  process: "environment",
  console: "console",
  module: "computed import",
  vm: "computed import",
};
/** By whatever name: the import or the member is what is found. */
const MAKES_FOLDERS = ["mkdir", "mkdirSync"];
/** These follow a link that somebody put under the name. */
const MAKES_FILES = ["writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream"];
const EAGER = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"];
const TYPE_FIELDS = ["typeAnnotation", "typeParameters", "typeArguments", "superTypeArguments", "returnType"];
const TYPE_NODES = ["TSTypeAliasDeclaration", "TSInterfaceDeclaration", "TSClassImplements"];

export function readSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const seams: SeamUse[] = [];
  walk(program as unknown as Node, { parent: undefined, key: "", inType: false }, (node, place) => {
    // Not before something is found: there are as many nodes as words.
    const lineOf = () => text.slice(0, node.start).split("\n").length;
    const specifier = importedBy(node);
    if (specifier !== undefined) imports.push({ specifier, line: lineOf(), isEager: isEager(node) });
    const seam = MODULES[(specifier ?? "").replace(/^node:/, "")];
    if (seam !== undefined) seams.push({ seam, what: specifier ?? "", line: lineOf() });
    if (opensWithoutX(node)) seams.push({ seam: "file", what: "open for writing", line: lineOf() });
    if (isComputedImport(node)) seams.push({ seam: "computed import", what: "import(...)", line: lineOf() });
    const opened = place.inType ? undefined : openedBy(node, place);
    if (opened !== undefined) seams.push({ ...opened, line: lineOf() });
  });
  return { path, imports, seams };
}

function walk(node: Node, place: Place, visit: (node: Node, place: Place) => void): void {
  visit(node, place);
  const inType = place.inType || TYPE_NODES.includes(node.type);
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, { parent: node, key, inType: inType || TYPE_FIELDS.includes(key) }, visit);
    }
  }
}

function importedBy(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return textOf(node.source);
    case "TSExternalModuleReference":
      return textOf(node.expression);
    case "CallExpression":
      return loads(node.callee) ? textOf(firstOf(node.arguments)) : undefined;
    case "NewExpression":
      return isWorkerUrl(node) ? textOf(firstOf(node.arguments)) : undefined;
    default:
      return undefined;
  }
}

/** `import { type A }` is: the runtime strips the name and keeps the import. */
function isEager({ type, importKind, exportKind }: Node): boolean {
  return EAGER.includes(type) && importKind !== "type" && exportKind !== "type";
}

/** require(x), require.resolve(x), import.meta.resolve(x), process.getBuiltinModule(x). */
function loads(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return callee.name === "require";
  if (callee.type !== "MemberExpression" || !isNode(callee.property) || !isNode(callee.object)) return false;
  if (callee.property.name === "getBuiltinModule") return true;
  return (
    callee.property.name === "resolve" && (callee.object.type === "MetaProperty" || callee.object.name === "require")
  );
}

/** `new URL("./worker.ts", import.meta.url)` is how a worker is named: an import in all but syntax. */
function isWorkerUrl(node: Node): boolean {
  if (!isNode(node.callee) || node.callee.name !== "URL") return false;
  return /^\.{1,2}\/.*\.(ts|mjs|js)$/.test(textOf(firstOf(node.arguments)) ?? "");
}

function isComputedImport(node: Node): boolean {
  if (node.type === "ImportExpression") return textOf(node.source) === undefined;
  return node.type === "CallExpression" && loads(node.callee) && textOf(firstOf(node.arguments)) === undefined;
}

/** `open(path, "w")` and its kin; with an x what is there is left alone, links too. */
function opensWithoutX(node: Node): boolean {
  if (node.type !== "CallExpression" || !isNode(node.callee) || !Array.isArray(node.arguments)) return false;
  const name = node.callee.type === "MemberExpression" ? memberName(node.callee) : node.callee.name;
  return (name === "open" || name === "openSync") && /^[wa][+s]*$/.test(textOf(node.arguments[1]) ?? "");
}

function openedBy(node: Node, place: Place): Omit<SeamUse, "line"> | undefined {
  if (node.type !== "Identifier") return undefined;
  const name = String(node.name);
  if (MAKES_FOLDERS.includes(name) && isTaken(place)) return { seam: "folder", what: name };
  if (MAKES_FILES.includes(name) && isTaken(place)) return { seam: "file", what: name };
  if (isOnlyAName(place)) return undefined;
  const { parent, key } = place;
  const member = key === "object" && parent?.type === "MemberExpression" ? parent : undefined;
  const property = member !== undefined && member.computed !== true ? memberName(member) : undefined;
  if (name === "globalThis" || name === "global") {
    if (property !== undefined && GLOBALS[property] === undefined && PARTLY[property] === undefined) return undefined;
    const seam = GLOBALS[property ?? ""] ?? PARTLY[property ?? ""]?.seam ?? "environment";
    return { seam, what: `${name}.${property ?? "..."}` };
  }
  const always = GLOBALS[name];
  if (always !== undefined) return { seam: always, what: property === undefined ? name : `${name}.${property}` };
  return openedByPart(name, property, place);
}

function openedByPart(name: string, property: string | undefined, place: Place): Omit<SeamUse, "line"> | undefined {
  const rule = Object.hasOwn(PARTLY, name) ? PARTLY[name] : undefined;
  if (rule === undefined) return undefined;
  const { parent, key } = place;
  if (name === "Date" && parent?.type === "BinaryExpression" && parent.operator === "instanceof") return undefined;
  if (name === "Date" && parent?.type === "NewExpression" && key === "callee") {
    const first = firstOf(parent.arguments);
    if (isNode(first) && first.type !== "SpreadElement") return undefined;
    return { seam: rule.seam, what: "new Date()" };
  }
  const harmless = property !== undefined && (rule.only?.includes(property) ?? !rule.except?.includes(property));
  if (harmless) return undefined;
  const seam = name === "process" && (property === "hrtime" || property === "uptime") ? "clock" : rule.seam;
  return { seam, what: property === undefined ? name : `${name}.${property}` };
}

/** Out of a module: imported, as a member, or by a pattern. */
function isTaken({ parent, key }: Place): boolean {
  if (parent?.type === "ImportSpecifier" || parent?.type === "ExportSpecifier") return key !== "local";
  return (parent?.type === "MemberExpression" && key === "property") || (parent?.type === "Property" && key === "key");
}

/** A member's or a key's name refers to nothing by itself. */
function isOnlyAName({ parent, key }: Place): boolean {
  if (parent === undefined || parent.computed === true) return false;
  if (parent.type === "MemberExpression") return key === "property";
  if (parent.type === "Property" || parent.type.endsWith("Definition")) return key === "key";
  return parent.type === "ImportSpecifier" || parent.type === "ExportSpecifier";
}

function memberName(member: Node): string | undefined {
  return isNode(member.property) && typeof member.property.name === "string" ? member.property.name : undefined;
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  const quasis = node.type === "TemplateLiteral" && Array.isArray(node.quasis) ? node.quasis : [];
  const only = quasis.length === 1 ? (quasis[0] as { value?: { cooked?: string } }) : undefined;
  return only?.value?.cooked;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
