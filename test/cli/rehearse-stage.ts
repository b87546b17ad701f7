// A stage for `rehearse`: a simulator that speaks a profile, an account with a new key, a configuration, and the command
// run on them within the test's own process.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "vitest";
import type { Finding } from "../../src/app/finding.ts";
import { newKey } from "../../src/app/key/new-key.ts";
import { explain } from "../../src/app/shell.ts";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { init } from "../../src/cli/command/init.ts";
import { type RehearseOptions, rehearse } from "../../src/cli/command/rehearse.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import { profileYaml } from "../../src/exchange/profile-candidates.ts";
import type { VenueSettings } from "../../src/simulator/core/settings.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import type { Market } from "../../src/simulator/market/market.ts";
import { DEFAULT_MARKET, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { createSimulatorServer, type SimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { realClock, realTimers } from "../support/wire.ts";

const SPACING_MS = 4;

export type Played = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly string[];
  readonly findings: readonly Finding[];
  readonly page: string | undefined;
  /** The path of the profile to share. */
  readonly profile: string | undefined;
  said(check: string): string;
};

type Account = {
  readonly configFile: string;
  readonly publicKey: string;
  config(): string;
  play(
    options?: RehearseOptions,
    how?: { readonly answers?: readonly string[]; readonly interactive?: boolean },
  ): Promise<Played>;
};

export type RehearsalStage = Account & {
  readonly server: SimulatorServer;
  /** Another account of the same venue, whose configuration `init` made from this profile. */
  imported(profile: string): Promise<Account>;
  /** The orders that the venue has seen, whatever it made of them. */
  orders(): Promise<number>;
  faults(rules: FaultsSetting["rules"]): Promise<void>;
};

type Setting = {
  readonly spoken?: Profile;
  readonly configured?: Profile;
  readonly settings?: Partial<VenueSettings>;
  readonly feeBps?: number;
  readonly yaml?: string;
  readonly funds?: Readonly<Record<string, string>>;
  /** The whole configuration. */
  readonly text?: string;
  /** The venue's price, for tests that go by its distance from a limit; otherwise it moves. */
  readonly price?: { readonly bid: number; readonly ask: number };
};

export async function rehearsalStage(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  {
    spoken = presets.contract,
    configured = presets.contract,
    settings = {},
    feeBps = 10,
    yaml = "",
    funds = { CHF: "100000", VCHF: "10000", USDC: "10000" },
    text,
    price,
  }: Setting = {},
): Promise<RehearsalStage> {
  // A coin that strays from par does so by the calendar: at some hours another limit fills first.
  const moving = syntheticMarket(7, withoutEdge(DEFAULT_MARKET));
  const read: Market["read"] = (symbol, at, into) =>
    moving.read(symbol, at, into) && Object.assign(into, price) === into;
  const market = price === undefined ? moving : { ...moving, read };
  const server = await createSimulatorServer({
    market,
    ...{ clock: realClock, timers: realTimers, seed: 7, pace: { spacingMs: 0 }, profile: spoken, accept: [spoken] },
    settings,
  });
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(tmpdir(), "pegbot-rehearsal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { content, publicKey } = await newKey(spoken.curve, undefined);
  createSecretFile(join(folder, "key.pem"), content, "key file");
  await setUpAccount(server.writer, publicKey, new Map(Object.entries(funds)));
  server.writer.venue.setPair("VCHF/CHF" as never, { feeBps });
  const configFile = join(folder, "pegbot.yaml");
  writeFileSync(
    configFile,
    text ??
      `# mine\nkey: { file: ./key.pem } # a key\nvenue:\n  baseUrl: "${server.baseUrl}" # here\n  profile: ${profileYaml({ ...configured, curve: spoken.curve })} # as I think\n${yaml}`,
  );
  const account = (configFile: string, publicKey: string): Account => ({
    configFile,
    publicKey,
    config: () => readFileSync(configFile, "utf8"),
    play: (options, how) => played(configFile, options, how),
  });
  return {
    ...account(configFile, publicKey),
    server,
    async imported(profile) {
      const other = join(mkdtempSync(join(tmpdir(), "pegbot-imported-")), "pegbot.yaml");
      onTestFinished(() => rmSync(dirname(other), { recursive: true, force: true }));
      const shell = recordedShell({ configFile: other, json: true });
      await init(shell, { yes: true, baseUrl: server.baseUrl, profile });
      const { publicKey: key } = JSON.parse(shell.stdout());
      await setUpAccount(server.writer, key, new Map(Object.entries(funds)));
      return account(other, key);
    },
    orders: async () => {
      const answer = await fetch(new URL("/portal/requests", server.baseUrl));
      const { requests } = (await answer.json()) as { requests: { path: string }[] };
      return requests.filter(({ path }) => path.endsWith("/addOrder")).length;
    },
    async faults(rules) {
      await server.act("faults", { rules });
    },
  };
}

async function played(
  configFile: string,
  options: RehearseOptions = { yes: true },
  { answers = [], interactive = options.yes !== true }: Parameters<Account["play"]>[1] = {},
): Promise<Played> {
  const shell = { ...recordedShell({ configFile, interactive, json: true }), clock: systemClock };
  const prompts = scriptedPrompts(...answers);
  const pacing = { spacingMs: SPACING_MS, limitedPauseMs: SPACING_MS };
  let code: number;
  let more = "";
  try {
    code = await rehearse(shell, { pair: "VCHF/CHF", ...options }, { prompts, tuning: { pacing } });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    code = error.code;
    more = explain(error).lines.join("\n");
  }
  const stdout = shell.stdout();
  const {
    findings = [],
    page,
    profile,
  }: { findings?: Finding[]; page?: string; profile?: string } = stdout === "" ? {} : JSON.parse(stdout);
  return {
    code,
    stdout,
    stderr: shell.stderr() + more,
    asked: prompts.asked,
    findings,
    page: page ? readFileSync(page, "utf8") : undefined,
    profile: profile ?? undefined,
    said: (check) =>
      findings
        .filter((one) => one.check === check)
        .map(({ verdict, cause, next }) => `${verdict}: ${cause} -> ${next ?? ""}`)
        .join("\n"),
  };
}
