// What can be declared of a file: only what its format leaves open. Anything else would stand in the manifest without having
// been applied.

import type { Declaration, Format } from "./format.ts";

type Name = keyof Declaration;

/** Of every format: which pair it is, what its prices are in, and which rows are good. */
const ALWAYS: readonly Name[] = ["symbol", "pricePer", "jumpMax", "tolerate"];
const FLAGS: Partial<Record<Name, string>> = { symbol: "--pair", intervalMs: "--interval" };

/** The flags of what was declared and is used by none of these; a column file has no format, and says everything itself. */
export function notTaken(
  declared: Partial<Declaration>,
  files: readonly { readonly path: string; readonly format: Format | undefined }[],
): string[] {
  const taken = new Set<string>([
    "symbol",
    ...files.flatMap(({ path, format }) => (format ? takenBy(format, path) : [])),
  ]);
  return flagsOf(Object.fromEntries(Object.entries(declared).filter(([name]) => !taken.has(name))));
}

/** The flags that it was declared by. */
export function flagsOf(declared: Partial<Declaration>): string[] {
  return Object.keys(declared).map(
    (name) => FLAGS[name as Name] ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

function takenBy({ takes, zone, halfSpread }: Format, path: string): readonly Name[] {
  return [
    ...ALWAYS,
    ...takes.filter((name) => name !== "entry" || /\.zip$/i.test(path)),
    ...(zone === "declared" ? ["zone" as const] : []),
    ...(halfSpread === "none" ? [] : ["halfSpreadBps" as const]),
  ];
}
