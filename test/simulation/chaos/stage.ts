// The stage of a chaos campaign: a folder with key, configuration, journal and the simulator's state, and the two programs
// on one scaled clock.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { createSecretFile } from "../../../src/exchange/key/secret-file.ts";
import { JournalReader } from "../../../src/journal/journal-reader.ts";
import type { Entry } from "../../../src/journal/record.ts";
import type { PostingRow } from "../../../src/simulator/core/record.ts";
import type { FaultsSetting } from "../../../src/simulator/fault.ts";
import { type Finished, LAUNCHER, pegbot } from "../../cli/pegbot.ts";
import { newKeyPair } from "../../contract/client.ts";
import { CORE_FUNDS, PAIR } from "../../support/bot-core.ts";
import { COMPILED } from "../../support/compiled.ts";
import { type Program, start } from "../../support/program.ts";
import type { VenueFacts } from "../audit.ts";

export type StageOptions = {
  readonly seed: number;
  /** How many times as fast as the world's the clock of both programs runs. */
  readonly factor: number;
  readonly faults: FaultsSetting;
  /** The section `protocol`; without it the defaults hold. */
  readonly protocol?: Readonly<Record<string, number>>;
};

export type ChaosStage = {
  readonly folder: string;
  startSimulator(): Promise<void>;
  /** As `kill -9`; what it has seen is written down first. */
  killSimulator(): Promise<void>;
  calm(): Promise<void>;
  /** `through`: what comes before its command line. */
  startBot(through?: readonly string[]): Program;
  /** The journal may have lost its end. */
  forget(): void;
  command(...args: string[]): Promise<Finished>;
  entries(): readonly Entry[];
  /** How many requests but orders have reached the venue. */
  reads(): Promise<number>;
  venueFacts(): Promise<VenueFacts>;
  close(): void;
};

const off = "off: a chaos campaign";

/** Every rule that would stop a restless strategy for being restless is off; money and doubts are still watched. */
const RISK = {
  currency: "CHF",
  symbols: [PAIR],
  orderValueMax: "50000",
  orderQuantityMax: { [PAIR]: "50000" },
  assetExposureMax: off,
  grossExposureMax: off,
  depegLossBpsMax: off,
  issuerLossBpsMax: off,
  issuerEndBps: 6_000,
  depegAssumedBps: 1_200,
  markAgeMsMax: 900_000,
  markHaircutBps: 200,
  dailyLossBpsMax: off,
  drawdownBpsMax: off,
  collarBps: 400,
  collarHardBps: 900,
  referenceAgeMsMax: 30_000,
  referenceSourcesMin: 2,
  referenceSpreadBpsMax: 499,
  ordersPerMinuteMax: off,
  ordersPerDayMax: off,
  turnoverPerHourMax: off,
  turnoverPerDayMax: off,
  rejectsPerSymbolMax: off,
  rejectsMax: off,
  rejectFreezeMs: 10_000,
  lossesMax: off,
  adverseBpsMax: off,
  lossFreezeMs: 10_000,
  duplicateWindowMs: off,
  offsetWindowMs: off,
  doubtsPerAssetMax: 1,
  doubtsMax: 2,
  doubtAgeMsMax: off,
  reserveBpsMin: 100,
  feeBpsMax: 20,
  feesPerDayMax: off,
  decisionAgeMsMax: 3_000,
  rampOrders: off,
  rampSizeBps: 1_000,
};

export function openStage(options: StageOptions): ChaosStage {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-chaos-"));
  const { publicKey, privateKey } = newKeyPair();
  createSecretFile(
    join(folder, "key.pem"),
    Buffer.from(privateKey.export({ type: "pkcs8", format: "pem" })),
    "key file",
  );
  const faultsFile = join(folder, "faults.json");
  writeFileSync(faultsFile, JSON.stringify(options.faults));
  const env = {
    PATH: process.env.PATH ?? "",
    XDG_STATE_HOME: join(folder, "state"),
    XDG_RUNTIME_DIR: folder,
    PEGBOT_TIME_SCALE: `${options.factor}@${Date.now()}`,
    NODE_COMPILE_CACHE: COMPILED,
  };
  const started: Program[] = [];
  const arrivals: string[] = [];
  let simulator: Program | undefined;
  let port = 0;
  let portal = "";

  const launchThrough = (through: readonly string[], ...args: string[]): Program => {
    const [command = "", ...others] = [...through, process.execPath, LAUNCHER, ...args];
    const program = start(command, others, { cwd: folder, env });
    started.push(program);
    return program;
  };
  const launch = (...args: string[]): Program => launchThrough([], ...args);
  const arrived = async (): Promise<readonly { readonly path: string; readonly digest?: string }[]> =>
    (await ask<{ requests: { path: string; digest?: string }[] }>(`${portal}requests`)).requests;
  const isOrder = ({ path }: { readonly path: string }): boolean => path.endsWith("/addOrder");
  const writeDownArrivals = async (): Promise<void> => {
    for (const request of await arrived()) if (isOrder(request)) arrivals.push(request.digest ?? "");
  };

  const journal = entriesAt(join(folder, "journal.db"));
  return {
    folder,
    async startSimulator() {
      const fund = Object.entries(CORE_FUNDS).map(([asset, amount]) => `${asset}=${amount}`);
      const common = [
        "--market",
        "demo",
        "--seed",
        `${options.seed}`,
        "--state",
        join(folder, "venue.state"),
        "--faults",
        faultsFile,
      ];
      simulator = launch("simulator", "--port", `${port}`, ...common, "--key", publicKey, "--fund", fund.join(","));
      const address = new URL(/http\S+/.exec(await simulator.line(/^simulator/))?.[0] ?? "");
      portal = `${address.origin}/portal/`;
      if (port !== 0) return;
      port = Number(address.port);
      writeFileSync(join(folder, "pegbot.yaml"), stringify(configOf(address.href, options)));
    },
    async killSimulator() {
      await writeDownArrivals();
      simulator?.killGroup("SIGKILL");
      await simulator?.ended();
    },
    async calm() {
      writeFileSync(faultsFile, JSON.stringify({ rules: [] }));
      await ask(`${portal}faults`, { rules: [] });
    },
    startBot: (through = []) => launchThrough(through, "run", "--port", "0"),
    forget: journal.forget,
    command: (...args) => pegbot(args, { cwd: folder, env }),
    entries: journal.entries,
    reads: async () => (await arrived()).filter((request) => !isOrder(request)).length,
    async venueFacts() {
      await writeDownArrivals();
      const { postings } = await ask<{ postings: PostingRow[] }>(
        `${portal}ledger?publicKey=${encodeURIComponent(publicKey)}`,
      );
      const trades = postings.filter(({ what }) => what === "trade").map(({ reference }) => reference);
      return { arrivals, filledOrderIds: new Set(trades), totals: totalsOf(postings) };
    },
    close() {
      for (const { killGroup } of started) killGroup("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(baseUrl: string, { protocol }: StageOptions): unknown {
  return {
    mode: "paper",
    venue: { baseUrl, environment: "test" },
    key: { file: "./key.pem" },
    market: { par: { [PAIR]: 499 } },
    strategy: { use: resolve("test/fixture/strategy/restless.ts") },
    risk: RISK,
    ...(protocol === undefined ? {} : { protocol }),
    journal: { path: "./journal.db" },
    server: { port: 0 },
  };
}

/** What the journal says so far; each call reads only what is new. */
function entriesAt(path: string): { entries(): readonly Entry[]; forget(): void } {
  let known: Entry[] = [];
  const entries = (): readonly Entry[] => {
    // Made before its anchor: without that the bot has not finished making it.
    if (!existsSync(`${path}.anchor`)) return known;
    const reader = JournalReader.open(path);
    if (!reader.ok) throw new Error(reader.error.message);
    try {
      for (const read of reader.value.after(known.length)) known.push(unwrap(read).entry);
    } finally {
      reader.value.close();
    }
    return known;
  };
  const forget = (): void => {
    known = [];
  };
  return { entries, forget };
}

async function ask<T>(url: string, body?: unknown): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(url, body === undefined ? {} : post);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** What the venue's own books say, movement by movement: no answer of its API is believed here. */
function totalsOf(postings: readonly PostingRow[]): ReadonlyMap<Asset, Money> {
  if (postings[0]?.seq !== 1) throw new Error("the venue's books must go back to the first movement");
  const totals = new Map<Asset, Money>();
  const isOwn = (pocket: string): boolean => /:(available|pending)$/.test(pocket);
  for (const { from, to, asset, amount } of postings) {
    let total = totals.get(asset) ?? Money.zero(asset);
    if (isOwn(to)) total = total.plus(Money.of(amount, asset));
    if (isOwn(from)) total = total.minus(Money.of(amount, asset));
    totals.set(asset, total);
  }
  return totals;
}
