#!/usr/bin/env node
// Launcher in plain JavaScript, so that any Node can read it. On a Node that is new enough it runs the command line in
// this process; on an older one it starts itself again on the Node that npm installed beside us. A first argument that
// names a .ts, .mjs or .js file runs that file instead: tools and scripts get the same runtime in the same way.
import "./no-debugger.js";
import { existsSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const OLDEST_MAJOR = 24;
const WRONG_USE = 2;
const NOT_BUILT = 78;
const launcher = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) >= OLDEST_MAJOR) {
  const { prepare } = await import("./prepare.js");
  const loaded = prepare();
  await run();
  loaded();
} else {
  const { supervise } = await import("./supervise.js");
  supervise(launcher, args, OLDEST_MAJOR);
}

async function run() {
  const [first] = args;
  const isFile = first !== undefined && /\.(ts|mjs|js)$/.test(first);
  if (isFile && !existsSync(first)) refuse(`there is no file ${first}`, WRONG_USE);
  const target = isFile ? resolve(first) : own("src/cli/main");
  process.argv.splice(1, isFile ? 2 : 1, target);
  if (isFile) {
    const { takeUserModules } = await import(pathToFileURL(own("src/strategy/user-modules")).href);
    takeUserModules();
  }
  await import(pathToFileURL(target).href);
}

/** A checkout has the sources, a published package what was made of them. */
function own(path) {
  const file = join(launcher, "..", "..", path);
  if (!existsSync(`${file}.ts`)) return `${file}.js`;
  if (launcher.split(sep).includes("node_modules"))
    refuse(
      "these are the sources, which Node runs in no node_modules: in a checkout, npm run build makes the package",
      NOT_BUILT,
    );
  return `${file}.ts`;
}

function refuse(reason, code) {
  process.stderr.write(`pegbot: ${reason}\n`);
  process.exit(code);
}
