// `npm run build [-- FOLDER]`: the package for publishing, in dist/ or the folder named. Node strips no types below
// node_modules, so the sources become JavaScript, with their types beside it; the commit they were made from goes along in a file.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitOf } from "../src/app/version.ts";

const TSC = "node_modules/typescript/bin/tsc";
/** What is read or run as it stands. */
const COPIED = [
  "bin",
  "backtest/report/page",
  "src/watch/chart/page",
  "src/watch/dashboard/page",
  // Messages and the README name their pages.
  "docs",
  "ops",
  // To read and to copy: below node_modules they do not run.
  "strategies",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "LICENSE",
];

const DIST = "dist";

const folder = process.argv[2] ?? DIST;
// Only our own is cleared: what somebody else keeps in a folder is not ours to remove.
if (folder === DIST) rmSync(DIST, { recursive: true, force: true });
else if (existsSync(folder)) refuse(`the folder to build in must not exist yet, was ${folder}`);
mkdirSync(folder, { recursive: true });
const compiled = spawnSync(process.execPath, [TSC, "-p", "tsconfig.build.json", "--outDir", folder], {
  stdio: "inherit",
});
if (compiled.status !== 0) refuse("the sources do not compile");
for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), undefined, 2)}\n`);
const commit = commitOf(".");
if (commit !== undefined) writeFileSync(join(folder, "COMMIT"), `${commit}\n`);
process.stdout.write(`built ${folder} from ${commit ?? "a tree without a commit"}\n`);

/** As published: without what only a checkout needs, and with the built files behind every name. */
function manifest(): Record<string, unknown> {
  const { scripts, devDependencies, overrides, private: _, exports = {}, ...rest } = readManifest();
  const built = Object.entries(exports).map(([name, file]) => [name, file.replace(/\.ts$/, ".js")]);
  return built.length === 0 ? rest : { ...rest, exports: Object.fromEntries(built) };
}

function readManifest(): Record<string, unknown> & { exports?: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync("package.json", "utf8"));
}

function refuse(reason: string): never {
  process.stderr.write(`build: ${reason}\n`);
  process.exit(1);
}
