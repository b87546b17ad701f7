// `npm run measure:flow [--list]`: how many of our files run between two fills of a paper bot, and in three commands, by
// V8's coverage. A file counts when one of its functions ran; loading it is not enough.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
};

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OURS = /^(src|backtest)\//;
const GAPS = 5;
const LOOK_MS = 50;
/** Booking a trade of ours, which happens once a fill. */
const FILL = { file: /src\/bot\/.*accounts\.ts$/, name: /booked$/ };
const CONFIG = "mode: paper\n";

if (process.argv[2] === "--bot") await runBot();
else await print(process.argv.includes("--list"));

async function print(isListed: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-flow-"));
  const report = (what: string, files: ReadonlySet<string>): void => {
    process.stdout.write(`${String(files.size).padStart(4)} files run ${what}\n`);
    if (isListed) for (const file of [...files].sort()) process.stdout.write(`       ${file}\n`);
  };
  try {
    writeFileSync(join(folder, "pegbot.yaml"), CONFIG);
    const fills = JSON.parse(await output([join(ROOT, "scripts/measure-flow.ts"), "--bot"], folder)) as string[];
    report("between two fills of a paper bot", new Set(fills));
    report("in status without a bot", await filesOf(["status"], folder));
    report("in config check", await filesOf(["config", "check"], folder));
    report("in backtest --days 1", await filesOf(["backtest", "--days", "1"], folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function filesOf(args: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  const NODE_V8_COVERAGE = mkdtempSync(join(folder, "coverage-"));
  await output([join(ROOT, "bin/pegbot.js"), ...args], folder, { NODE_V8_COVERAGE });
  const files = readdirSync(NODE_V8_COVERAGE).map((name) => readFileSync(join(NODE_V8_COVERAGE, name), "utf8"));
  return new Set(files.flatMap((text) => ranIn(JSON.parse(text))));
}

function output(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  let text = "";
  let errors = "";
  child.stdout.on("data", (data) => {
    text += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      // `status` of a stopped bot ends with another code than 0.
      if (text === "") reject(new Error(`${args.join(" ")} ended with ${code}: ${errors}`));
      else resolve(text);
    });
  });
}

function ranIn({ result }: Coverage): string[] {
  return result.flatMap(({ url, functions }) => {
    const file = url.startsWith("file:") ? fileURLToPath(url).slice(ROOT.length) : "";
    return OURS.test(file) && functions.some(isRun) ? [file] : [];
  });
}

/** The body of a file starts at its first character, and an import runs it. */
function isRun({ ranges: [range] }: Coverage["result"][number]["functions"][number]): boolean {
  return range !== undefined && range.startOffset > 0 && range.count > 0;
}

/** A paper bot in this process, on the demonstration market: the median of a few gaps between two fills. */
async function runBot(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  process.argv.splice(2, 1, "start", "--port", "0");
  const gaps: (readonly string[])[] = [];
  let gap: Set<string> | undefined;
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  const look = async (): Promise<void> => {
    const taken = (await session.post("Profiler.takePreciseCoverage")) as Coverage;
    for (const file of ranIn(taken)) gap?.add(file);
    if (hasFill(taken)) {
      if (gap !== undefined) gaps.push([...gap]);
      gap = new Set();
    }
    if (gaps.length < GAPS) setTimeout(() => void look(), LOOK_MS);
    else {
      const median = gaps.sort((one, other) => one.length - other.length)[Math.floor(GAPS / 2)];
      print(JSON.stringify(median), () => process.kill(process.pid, "SIGKILL"));
    }
  };
  setTimeout(() => void look(), LOOK_MS);
  await import("../src/cli/main.ts");
}

function hasFill({ result }: Coverage): boolean {
  return result.some(
    ({ url, functions }) =>
      FILL.file.test(url) &&
      functions.some(({ functionName, ranges }) => FILL.name.test(functionName) && (ranges[0]?.count ?? 0) > 0),
  );
}
