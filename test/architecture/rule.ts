// The rules over all sources of a tree: imports follow the table and lead down within a room, packages stay in their rooms, seams
// open only in named files, and nothing imports itself in a circle. Each finding is one line that says where, what and which rule.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { readSource, type Source } from "./source.ts";
import { FLOORS, MAY_IMPORT, PACKAGES, PURE, SEAMS, WORKSHOPS } from "./table.ts";

const FOLDERS = ["src", "backtest", "strategies", "bench", "scripts", "test"];
const OWN_NAME = "pegbot";

export type House = { readonly sources: readonly Source[]; readonly exports: Readonly<Record<string, string>> };

export function readHouse(root: string): House {
  const fixtures = join(root, "test", "fixture");
  const files = FOLDERS.flatMap((folder) => sourcesIn(join(root, folder), fixtures));
  const sources = files.map((file) => {
    return readSource(relative(root, file).split(sep).join("/"), readFileSync(file, "utf8"));
  });
  return { sources, exports: exportsOf(root) };
}

export function findingsOf(house: House): readonly string[] {
  return [
    ...house.sources.flatMap((source) => importFindings(source, house)),
    ...house.sources.flatMap((source) => floorFindings(source, house)),
    ...house.sources.flatMap(packageFindings),
    ...house.sources.flatMap(seamFindings),
    ...cycleFindings(house),
  ];
}

/** The packages that come with a file of ours before it has done anything, by way of all that it imports. */
export function packagesWith(path: string, house: House): readonly string[] {
  const sources = new Map(house.sources.map((source) => [source.path, source]));
  const seen = new Set([path]);
  const packages = new Set<string>();
  for (const file of seen) {
    for (const { specifier, isEager } of sources.get(file)?.imports ?? []) {
      const target = targetOf(file, specifier, house);
      if (!isEager || specifier.startsWith("node:")) continue;
      if (target === undefined) packages.add(packageOf(specifier));
      else seen.add(target);
    }
  }
  return [...packages].sort();
}

/** The files of ours that come with one, lazily or as types too. */
export function filesWith(path: string, house: House): readonly string[] {
  const sources = new Map(house.sources.map((source) => [source.path, source]));
  const seen = new Set([path]);
  for (const file of seen)
    for (const { specifier } of sources.get(file)?.imports ?? []) seen.add(targetOf(file, specifier, house) ?? path);
  return [...seen];
}

function importFindings(source: Source, house: House): readonly string[] {
  const room = roomOf(source.path);
  if (room === undefined) return [`${source.path} is in no room of the import table`];
  return source.imports.flatMap(({ specifier, line }) => {
    const where = `${source.path}:${line}`;
    if (specifier.startsWith("/") || specifier.startsWith("file:")) return [`${where} imports an absolute path`];
    const target = targetOf(source.path, specifier, house);
    const allowed = [room, ...(MAY_IMPORT[room] ?? [])];
    if (target === undefined || allowed.some((entry) => isInside(target, entry))) return [];
    return [`${where} imports ${target}, but ${room} may import ${MAY_IMPORT[room]?.join(", ") || "nothing of ours"}`];
  });
}

function floorFindings({ path, imports }: Source, house: House): readonly string[] {
  const room = Object.keys(FLOORS).find((one) => path.startsWith(`${one}/`)) ?? "";
  const floors = FLOORS[room];
  // A file beside the folders is on none of their floors.
  if (floors === undefined || dirname(path) === room) return [];
  const floorOf = (file: string): number => floors.findIndex((floor) => isInside(file, `${room}/${floor}`));
  const own = floorOf(path);
  if (own < 0) return [`${path} is on no floor of ${room} (FLOORS in test/architecture/table.ts)`];
  return imports.flatMap(({ specifier, line }) => {
    const target = targetOf(path, specifier, house);
    if (target === undefined || floorOf(target) <= own) return [];
    return [`${path}:${line} imports ${target}, which stands above ${room}/${floors[own]}`];
  });
}

function packageFindings({ path, imports }: Source): readonly string[] {
  if (isInAny(path, WORKSHOPS)) return [];
  return imports.flatMap(({ specifier, line }) => {
    const name = packageOf(specifier);
    if (isInAny(path, PURE) && !specifier.startsWith(".")) return [`${path}:${line} imports ${name} into a pure room`];
    const rooms = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
    if (rooms === undefined || isInAny(path, rooms)) return [];
    return [`${path}:${line} imports ${name}, which belongs to ${rooms.join(", ")}`];
  });
}

function seamFindings({ path, seams }: Source): readonly string[] {
  if (isInAny(path, WORKSHOPS)) return [];
  const open = SEAMS[path] ?? [];
  return seams.flatMap(({ seam, what, line }) => {
    return open.includes(seam)
      ? []
      : [`${path}:${line} uses ${what} (${seam}), but is no seam file for it (SEAMS in test/architecture/table.ts)`];
  });
}

function cycleFindings(house: House): readonly string[] {
  const edges = new Map(
    house.sources.map(({ path, imports }) => {
      return [path, imports.map(({ specifier }) => targetOf(path, specifier, house)).filter((to) => to !== undefined)];
    }),
  );
  const done = new Set<string>();
  const findings: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      findings.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" -> ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return findings;
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The file of ours that an import means; undefined when it is somebody else's package. */
function targetOf(from: string, specifier: string, { exports }: House): string | undefined {
  if (specifier.startsWith(".")) return posix.join(dirname(from), specifier);
  if (specifier !== OWN_NAME && !specifier.startsWith(`${OWN_NAME}/`)) return undefined;
  return exports[`.${specifier.slice(OWN_NAME.length)}`] ?? specifier;
}

function exportsOf(root: string): Record<string, string> {
  try {
    const { exports = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const entries = Object.entries(exports).filter((entry) => typeof entry[1] === "string");
    return Object.fromEntries(entries.map(([name, file]) => [name, posix.normalize(String(file))]));
  } catch {
    return {};
  }
}

function sourcesIn(folder: string, without: string): readonly string[] {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === without ? [] : sourcesIn(path, without);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function roomOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((room) => isInside(path, room));
}

function isInAny(path: string, entries: readonly string[]): boolean {
  return entries.some((entry) => isInside(path, entry));
}

function isInside(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`) || path.replace(/\.[a-z]+$/, "") === entry;
}
