// `npm run campaign world -- --lives 60`: the net at full length, so many lives of each kind of world, as a table. `--kind K`
// runs one kind, `--seed N` begins at another seed; `--kind K --seed N` without `--lives` is one life with all that happened in it.

import { parseArgs } from "node:util";
import { KINDS } from "../../test/simulation/net/kinds.ts";
import { runLife } from "../../test/simulation/net/life.ts";
import { brokenIn, figuresOf, headText, rowText } from "../../test/simulation/net/report.ts";

const { values } = parseArgs({
  options: { lives: { type: "string" }, kind: { type: "string" }, seed: { type: "string" } },
});
const kinds = KINDS.filter(({ name }) => values.kind === undefined || name === values.kind);
const isOne = values.kind !== undefined && values.seed !== undefined && values.lives === undefined;
const [first, lives] = [Number(values.seed ?? 1), isOne ? 1 : Number(values.lives ?? 60)];
if (kinds.length === 0 || !Number.isSafeInteger(first) || !Number.isSafeInteger(lives) || lives < 1) {
  const names = KINDS.map(({ name }) => `"${name}"`).join(", ");
  process.stderr.write(`seed and lives must be whole numbers, lives from 1, and the kind one of ${names}\n`);
  process.exit(2);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const seeds = Array.from({ length: lives }, (_, index) => first + index);
print(`seeds ${first} to ${first + lives - 1}\n\n${headText()}`);
const broken: string[] = [];
for (const kind of kinds) {
  const results = [];
  for (const seed of seeds) results.push(await runLife(kind, seed));
  const figures = figuresOf(kind, results);
  print(rowText(figures));
  broken.push(...brokenIn(figures));
  if (isOne) for (const { trace, wrong } of results) print(["", ...trace, ...wrong].join("\n"));
}
for (const one of broken) print(`\nBROKEN  ${one}`);
if (broken.length > 0) process.exitCode = 1;
else print("\nevery promise was kept");
