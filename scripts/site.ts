// `npm run site`: the documentation as a site, in site/dist, which a running bot serves at /docs/. Its packages are installed the first
// time; the reference is written anew; each page also lies there as Markdown, listed in llms.txt for programs that read it.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Section, sections, titleOf } from "../site/.vitepress/sidebar.ts";
import { referencePages } from "./reference/pages.ts";

const DIST = "site/dist";
const VITEPRESS = "site/node_modules/vitepress/bin/vitepress.js";

if (!existsSync(VITEPRESS)) run("npm", ["ci", "--prefix", "site"]);
for (const [path, text] of await referencePages()) writeFileSync(path, text);
run(process.execPath, [VITEPRESS, "build", "site"]);
const all = sections("docs");
const { homepage } = JSON.parse(readFileSync("package.json", "utf8"));
// What lies outside docs/ is read in the repository.
const repository = `](${homepage.replace(/#.*/, "")}/blob/main/`;
for (const page of all.flatMap(({ pages }) => pages))
  writeFileSync(join(DIST, page), readFileSync(join("docs", page), "utf8").replaceAll("](../../", repository));
// Where the Markdown names them; VitePress renames its own.
for (const file of globSync("**/*.{png,svg,yaml}", { cwd: "docs" })) cpSync(join("docs", file), join(DIST, file));
writeFileSync(join(DIST, "llms.txt"), listed(all));
process.stdout.write(`built ${DIST}: a running bot serves it at /docs/\n`);

function listed(found: readonly Section[]): string {
  const lists = found.map(({ title, pages }) => {
    return `## ${title}\n\n${pages.map((page) => `- [${titleOf("docs", page)}](/docs/${page})`).join("\n")}`;
  });
  const about =
    "> An algorithmic trading bot for a venue of fiat-backed stablecoins: Fill-or-Kill orders, one request a second.";
  return `${["# pegbot", about, ...lists].join("\n\n")}\n`;
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: "inherit" });
  if (status === 0) return;
  process.stderr.write(`site: ${program} ${args.join(" ")} failed\n`);
  process.exit(1);
}
