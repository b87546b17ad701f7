// The exported names of built declarations with their signatures, as one text to compare: what semver covers. After a change that
// is meant, `npm run suite -- test/build.test.ts -u` writes it anew.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Exported = { readonly name: string; readonly text: string };

/** `entries`: the name of each export and its declarations. */
export function apiOf(entries: readonly (readonly [name: string, file: string])[]): string {
  const sections = entries.map(([name, file]) => {
    const texts = new Map(exportsOf(file).map((one) => [one.name, one.text]));
    const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `## pegbot${name.slice(1)}\n\n${sorted.map(([, text]) => text).join("\n")}\n`;
  });
  return sections.join("\n");
}

function exportsOf(file: string): readonly Exported[] {
  const statements = statementsOf(readFileSync(file, "utf8"));
  const imported = new Map<string, string>();
  for (const statement of statements) {
    const [, names = "", from = ""] = /^import (?:type )?\{(.*)\} from "(\..*)";$/.exec(statement) ?? [];
    for (const name of wordsIn(names)) imported.set(name, from);
  }
  const elsewhere = (from: string): readonly Exported[] =>
    exportsOf(join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
  return statements.flatMap((statement): readonly Exported[] => {
    const [, all] = /^export (?:type )?\* from "(.*)";$/.exec(statement) ?? [];
    if (all !== undefined) return elsewhere(all);
    const [, list, from] = /^export (?:type )?\{(.*)\}(?: from "(.*)")?;$/.exec(statement) ?? [];
    if (list === undefined) {
      const [, name] =
        /^export (?:declare )?(?:abstract )?(?:function|type|interface|class|const) (\w+)/.exec(statement) ?? [];
      return name === undefined ? [] : [{ name, text: statement }];
    }
    return wordsIn(list).flatMap((name) => {
      const place = from ?? imported.get(name);
      if (place?.startsWith(".")) return elsewhere(place).filter((one) => one.name === name);
      return [{ name, text: `export { ${name} }${place === undefined ? "" : ` from "${place}"`};` }];
    });
  });
}

function wordsIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((one) => one.trim().replace(/^type /, ""))
    .filter((name) => name !== "");
}

/** One line each, without comments. */
function statementsOf(text: string): readonly string[] {
  const lines = text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .split("\n");
  const statements: string[] = [];
  let depth = 0;
  let open = "";
  for (const line of lines) {
    open = `${open} ${line.trim()}`.trim();
    depth += (line.match(/[{([]/g) ?? []).length - (line.match(/[})\]]/g) ?? []).length;
    const isOver = /^(export )?type /.test(open) ? open.endsWith(";") : /[;}]$/.test(open);
    if (depth > 0 || !isOver) continue;
    statements.push(open);
    open = "";
  }
  return statements;
}
