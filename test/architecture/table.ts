// The plan of the house as data: which room may import which, which package lives where, and the few files through
// which time, chance and the outside world come in.

export type Seam =
  | "clock"
  | "chance"
  | "timer"
  | "environment"
  | "console"
  | "network"
  | "computed import"
  | "folder"
  | "file";

const EVERYTHING = [
  "src",
  "backtest",
  "strategies",
  "test",
  "bench",
  "scripts",
  "bin",
  "package.json",
  "site",
] as const;

/** A room imports itself and what is listed. An entry is a folder or a file without its ending; an inner room stands first. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/domain": [],
  "src/disk": ["src/domain"],
  "src/exchange": ["src/disk", "src/domain"],
  "src/strategy": ["src/domain"],
  "src/risk": ["src/domain"],
  "src/journal": ["src/disk", "src/domain"],
  "src/config": [
    "src/domain",
    "src/exchange/base-url",
    "src/exchange/profile",
    "src/watch/notices/notice",
    "src/risk",
    "src/strategy",
  ],
  "src/market": ["src/domain", "src/exchange/port"],
  "src/execution": ["src/domain", "src/exchange/port", "src/exchange/budget", "src/journal", "src/risk"],
  "src/treasury": ["src/domain", "src/exchange/port", "src/execution", "src/journal", "src/risk"],
  "src/books": [
    "src/domain",
    "src/execution",
    "src/journal/record",
    "src/market",
    "src/risk",
    "src/strategy/hidden-price",
    "src/strategy/reliability",
    "src/strategy/view",
  ],
  "src/bot": [
    "src/books",
    "src/domain",
    "src/exchange/port",
    "src/execution",
    "src/journal",
    "src/market",
    "src/risk",
    "src/strategy",
    "src/treasury",
  ],
  "src/simulator/core": ["src/domain", "src/exchange/port", "src/simulator/market"],
  "src/simulator/market": ["src/domain", "src/market/column"],
  "src/simulator/venue-line": ["src/domain", "src/exchange/classify", "src/exchange/port", "src/simulator"],
  "src/simulator": [
    "src/disk",
    "src/domain",
    "src/exchange/wire/canonical-json",
    "src/exchange/port",
    "src/exchange/profile",
    "src/market/column",
  ],
  "src/watch/chart": [],
  "src/watch/agent": ["src/domain", "src/operation", "src/watch"],
  "src/operation": [
    "src/bot",
    "src/config",
    "src/domain",
    "src/exchange/endpoint/mint-tokens",
    "src/exchange/port",
    "src/exchange/profile",
    "src/execution",
    "src/journal/record",
    "src/risk",
    "src/treasury",
    "src/watch/status",
  ],
  "src/watch/dashboard": ["src/domain", "src/operation", "src/watch"],
  "src/watch/notices": ["src/domain", "src/journal/record", "src/risk/trading-state", "src/watch"],
  "src/watch": [
    "src/bot",
    "src/config/schema",
    "src/domain",
    "src/exchange/budget/key-file",
    "src/exchange/backoff",
    "src/exchange/read-policy",
    "src/execution",
    "src/journal",
    "src/market/complaint",
    "src/risk",
    "src/treasury",
  ],
  backtest: [
    "src/books",
    "src/bot",
    "src/disk",
    "src/domain",
    "src/exchange/budget",
    "src/exchange/classify",
    "src/exchange/endpoint/rail-body",
    "src/exchange/port",
    "src/execution",
    "src/journal",
    "src/market",
    "src/risk",
    "src/simulator",
    "src/strategy",
    "src/treasury",
    "src/watch/chart",
  ],
  strategies: ["src/strategy"],
  "src/app": [
    "backtest",
    "src/books",
    "src/bot",
    "src/config",
    "src/disk",
    "src/domain",
    "src/exchange",
    "src/execution",
    "src/journal",
    "src/market",
    "src/operation",
    "src/risk",
    "src/simulator",
    "src/strategy",
    "src/treasury",
    "src/watch",
  ],
  "src/venue": [
    "src/app/config/identity",
    "src/app/config/venue-address",
    "src/app/journal/bot-time",
    "src/app/key",
    "src/app/owner/live-conditions",
    "src/app/owner/open-books",
    "src/app/system",
    "src/app/version",
    "src/books",
    "src/domain",
    "src/exchange",
    "src/execution",
    "src/journal",
    "src/market/pricing",
    "src/risk",
    "src/simulator",
    "src/treasury",
  ],
  "src/cli": EVERYTHING,
  test: EVERYTHING,
  bench: EVERYTHING,
  scripts: EVERYTHING,
};

/** The folders of a room, from the ground up: each imports only those before it. Files beside them may import all. */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  "src/app": [
    ...["system", "terminal", "data", "feeds", "config", "journal", "key", "kill-switch", "paper", "shadow"],
    ...["owner", "bot", "parity"],
  ],
  "src/bot": ["trace", "strategy-host", "review", "bookkeeping", "inbox", "effects"],
};

/** Packages that only some rooms may know. test, bench and scripts may know all. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "decimal.js": ["src/domain/money"],
  rxjs: ["src/app", "src/bot", "src/market", "src/execution"],
  undici: ["src/exchange/wire/transport", "src/market", "src/watch/notices"],
  pino: ["src/watch/log"],
  "prom-client": ["src/watch/metrics"],
  htm: ["src/watch/dashboard"],
  uqr: ["src/cli/command/pair"],
  "@modelcontextprotocol/server": ["src/watch/agent", "src/cli/command/mcp"],
  hyparquet: ["backtest/data"],
  papaparse: ["backtest/data"],
  bullmq: ["backtest/search/queue/connection"],
  ioredis: ["backtest/search/queue/connection"],
  "node:sqlite": ["src/journal", "src/exchange/budget", "src/disk", "backtest"],
};

/**
 * What comes with a command that is wanted at once or called often. A start costs by the file: a package is up to some hundred, and a
 * line to the venue (undici, signatures) alone would double it.
 */
export const COMES_WITH: Readonly<Record<string, readonly string[]>> = {
  "src/cli/main.ts": ["commander"],
  "src/cli/command/halt.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/resume.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/heartbeat.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/status.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/config-show.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/config-check.ts": ["decimal.js", "yaml", "zod"],
  "src/cli/command/journal.ts": ["commander", "decimal.js", "yaml", "zod"],
  "src/cli/command/read.ts": ["commander", "decimal.js", "yaml", "zod"],
  "src/cli/command/data-inspect.ts": ["zod"],
  "src/venue/venue.ts": [],
  "src/cli/command/backtest.ts": ["commander", "decimal.js", "pure-rand", "zod"],
};

/** Pure rooms: they import no package and nothing of the runtime, so nothing in them can read, write or wait. */
export const PURE: readonly string[] = ["src/simulator/core", "src/simulator/market"];

/** Rooms for developers: no rule on packages and seams there. */
export const WORKSHOPS: readonly string[] = ["test", "bench", "scripts"];

/** The named seam files. A file is small, is here for a reason its name says, and opens only the seams listed. */
export const SEAMS: Readonly<Record<string, readonly Seam[]>> = {
  "backtest/check/outside-world.ts": ["clock", "chance", "environment", "computed import"],
  // The deadline of a thread that reads a file: real time, and no result depends on it but a refusal.
  "backtest/data/parquet.ts": ["timer"],
  "backtest/next-turn.ts": ["timer"],
  "src/app/system/event-loop.ts": ["clock"],
  "src/app/system/system-clock.ts": ["clock"],
  "src/app/system/system-timers.ts": ["timer"],
  "src/config/environment.ts": ["environment"],
  // It strips the types of the page's own files, and loads nothing.
  "src/watch/dashboard/reply.ts": ["computed import"],
  "src/watch/dashboard/page/app.ts": ["clock", "timer", "network"],
  "src/watch/dashboard/page/charts.ts": ["timer"],
  "src/watch/dashboard/page/top.ts": ["timer"],
  "src/disk/create-folder.ts": ["folder"],
  "src/exchange/budget/host-clock.ts": ["clock"],
  // It only asks where a package lies, and loads nothing.
  "backtest/search/trial-files.ts": ["computed import"],
  // It asks which names are global.
  "src/strategy/load-file.ts": ["computed import", "environment"],
  "src/strategy/user-modules.ts": ["computed import"],
};
