// `npm run build [-- FOLDER]`: the package for publishing, in dist/ or the folder named. Node strips no types below
// node_modules, so the sources become JavaScript with their types. Along go the commit, npm-shrinkwrap.json (an install brings
// the production packages of our lock, by their hashes) and sbom.json, the list of them in CycloneDX. The bundled Node stays
// in the checkout: a package runs on the Node of its user.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitOf } from "../src/app/version.ts";

const TSC = "node_modules/typescript/bin/tsc";
/** What is read or run as it stands. */
const COPIED = [
  "bin",
  "backtest/report/page",
  "src/watch/chart/page",
  "src/watch/dashboard/page/index.html",
  "src/watch/dashboard/page/page.css",
  // Messages and the README name their pages.
  "docs",
  "ops",
  // The presets among them are read.
  "profiles",
  // To read and to copy: below node_modules they do not run.
  "strategies",
  "examples",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "LICENSE",
];

/** What this program writes next to them. */
const WRITTEN = ["npm-shrinkwrap.json", "sbom.json", "COMMIT"];

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
// The site is made by `npm run site`; without it the bot serves the pages as text.
const copied = existsSync("site/dist/index.html") ? [...COPIED, "site/dist"] : COPIED;
for (const path of copied) cpSync(path, join(folder, path), { recursive: true });
writeJson("package.json", manifest());
writeJson("npm-shrinkwrap.json", shrinkwrap());
writeJson("sbom.json", sbom());
const commit = commitOf(".");
if (commit !== undefined) writeFileSync(join(folder, "COMMIT"), `${commit}\n`);
process.stdout.write(`built ${folder} from ${commit ?? "a tree without a commit"}\n`);

/** As published: without what only a checkout needs, and with the built files and their types behind every name. */
function manifest(): Record<string, unknown> {
  const { scripts, devDependencies, optionalDependencies, overrides, private: _, exports, ...rest } = readManifest();
  const built = Object.entries(exports).map(([name, file]) => {
    const base = file.replace(/\.ts$/, "");
    return [name, base === file ? file : { types: `${base}.d.ts`, default: `${base}.js` }];
  });
  return { ...rest, files: [...readdirSync(folder), ...WRITTEN], exports: Object.fromEntries(built) };
}

/** The lock without what only a checkout needs; the lock names no host, so this names none. */
function shrinkwrap(): Record<string, unknown> {
  const { packages, ...lock } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { devDependencies, optionalDependencies, ...root } = packages[""];
  const production = Object.entries<{ dev?: true }>(packages).filter(
    ([path, { dev }]) => path !== "" && dev !== true && !isRuntime(path),
  );
  return { ...lock, packages: Object.fromEntries([["", root], ...production]) };
}

function isRuntime(path: string): boolean {
  return Object.hasOwn(readManifest().optionalDependencies, path.slice("node_modules/".length));
}

function sbom(): unknown {
  const args = [
    "sbom",
    "--package-lock-only",
    "--sbom-format=cyclonedx",
    "--sbom-type=application",
    "--loglevel=error",
  ];
  const listed = spawnSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (listed.status !== 0) refuse("npm sbom cannot list the packages");
  const bom = JSON.parse(listed.stdout);
  // npm takes the name of the folder.
  bom.metadata.component.name = readManifest().name;
  return bom;
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`);
}

type Named = Readonly<Record<string, string>>;

function readManifest(): Record<string, unknown> & { readonly exports: Named; readonly optionalDependencies: Named } {
  return JSON.parse(readFileSync("package.json", "utf8"));
}

function refuse(reason: string): never {
  process.stderr.write(`build: ${reason}\n`);
  process.exit(1);
}
