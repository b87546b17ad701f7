// `simulator`: runs the simulated venue until it is stopped, and prints how to reach it.

import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { parse } from "yaml";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { refuseTimeScale } from "../../app/system/time-scale.ts";
import { descriptionOf } from "../../config/description.ts";
import { explainIssues, valueAt } from "../../config/explain-issue.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { type FaultsSetting, faultsSchema } from "../../simulator/fault.ts";
import { parsePublicKey } from "../../simulator/http/signature.ts";
import { DEFAULT_MARKET } from "../../simulator/market/parameters.ts";
import { createSimulatorServer, type SimulatorServer } from "../../simulator/server.ts";
import { setUpAccount } from "../../simulator/stage.ts";
import { parseFunds } from "../option/funds.ts";
import { MARKET_HELP, marketSettings } from "../option/market-parameters.ts";
import { collected, port, seed, wholeNumber } from "../option/values.ts";

export function defineSimulator(command: Command, run: Run): void {
  command
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", port, 8_700)
    .option("--seed <n>", "the same seed gives the same venue and prices", seed, 1)
    .addOption(new Option("--profile <name>", "shape of answers").choices(["contract", "observed"]).default("contract"))
    .option("--market <name>", MARKET_HELP, marketSettings, [])
    .option("--strict", "take signed requests only in the form of the profile", false)
    .option("--speed <n>", "of settlement time (mints, rails, payments) only", wholeNumber(1, 1_000_000), 1)
    .option("--faults <file>", "fault rules, YAML or JSON")
    .option("--state <file>", "keep the state in this file and go on from it")
    .option("--key <publicKey>", "register this key, with KYB and agreements done")
    .option("--fund <amounts>", "credit the key, for example CHF=1000000,GBP=500000")
    .option("--set <name=value>", "a switch of operator or profile; may be repeated", collected, [])
    .action((flags: SimulatorFlags) => run((shell) => simulator(shell, flags)));
}

export type SimulatorFlags = {
  readonly port: number;
  readonly seed: number;
  readonly market: readonly string[];
  readonly profile: "contract" | "observed";
  readonly strict: boolean;
  readonly speed: number;
  readonly faults?: string;
  readonly state?: string;
  readonly key?: string;
  readonly fund?: string;
  readonly set: readonly string[];
};

export async function simulator(shell: Shell, flags: SimulatorFlags): Promise<ExitCode> {
  const stop = shell.stopSignal();
  refuseTimeScale("paper");
  const funds = readFunds(flags);
  if (flags.state !== undefined) requireStatePlace(flags.state);
  const server = await open(shell, flags);
  try {
    const account = flags.key === undefined ? undefined : await setUpAccount(server.writer, flags.key, funds);
    if (account?.ok === false) throw usageFailure(`--fund: ${account.error}`);
    describe(shell, flags, server, account?.value);
    shell.terminal.print("docs/guides/simulator.md shows every call with curl and openssl. Ctrl-C stops.");
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  } finally {
    await server.close();
  }
  return exitCode.done;
}

async function open({ clock }: Shell, flags: SimulatorFlags): Promise<SimulatorServer> {
  const { port, profile, speed, strict, set: switches } = flags;
  try {
    return await createSimulatorServer({
      clock,
      timers: systemTimers,
      ...{ port, seed: flags.seed, profile, speed, strict, switches },
      ...scenarioIn(flags),
      ...(flags.faults === undefined ? {} : { faults: readFaults(flags.faults) }),
      ...(flags.state === undefined ? {} : { stateFile: flags.state }),
    });
  } catch (error) {
    if (error instanceof RangeError) throw usageFailure(error.message);
    if (isPortTaken(error)) throw plainFailure(`port ${port} is taken`, "try another port");
    throw error;
  }
}

/** A state file goes on with its own market. */
function scenarioIn({ market, state }: SimulatorFlags): { readonly scenario?: readonly string[] } {
  if (market.length > 0) return { scenario: market };
  return state !== undefined && existsSync(state) ? {} : { scenario: [DEFAULT_MARKET.name] };
}

function describe(
  { terminal }: Shell,
  flags: SimulatorFlags,
  server: SimulatorServer,
  account: "new" | "known" | undefined,
): void {
  terminal.print(`simulator  ${server.baseUrl}`);
  terminal.print(`portal     ${server.portalUrl}`);
  terminal.print(`reference  ${server.url}/reference/a and ${server.url}/reference/b`);
  terminal.print(`openapi    ${server.url}/openapi.json`);
  terminal.print(`seed       ${flags.seed}, profile ${flags.profile}, settlement at ${flags.speed} x`);
  if (flags.set.length > 0) terminal.print(`switches   ${flags.set.join(", ")}`);
  if (flags.state !== undefined) terminal.print(`state      ${flags.state}`);
  if (account === "new") terminal.print(`account    set up${flags.fund === undefined ? "" : ` with ${flags.fund}`}`);
  if (account === "known") terminal.print("account    known from the state file, nothing credited");
  const kept = server.writer.venue.accountCount();
  const known = `${kept} of the state file, with what they had`;
  const none = `none: POST ${server.portalUrl}keys {"publicKey": "..."}, or start with --key`;
  if (account === undefined) terminal.print(`account    ${kept > 0 ? known : none}`);
}

function requireStatePlace(path: string): void {
  if (!existsSync(dirname(path))) throw usageFailure(`--state: there is no folder ${dirname(path)}`);
  const why = whyNoPlace(path);
  if (why !== undefined) throw usageFailure(`--state: ${why}`, "name another place");
}

function readFunds(flags: SimulatorFlags): ReadonlyMap<string, string> {
  const key = flags.key === undefined ? undefined : parsePublicKey(flags.key);
  if (key?.ok === false) throw usageFailure(`--key: ${key.error}`);
  if (flags.fund === undefined) return new Map();
  if (flags.key === undefined) throw usageFailure("--fund needs --key");
  return parseFunds("--fund", flags.fund);
}

function readFaults(path: string): FaultsSetting {
  if (!existsSync(path)) throw usageFailure(`--faults: there is no file ${path}`);
  let value: unknown;
  try {
    value = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw usageFailure(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = faultsSchema.safeParse(value);
  if (parsed.success) return value as FaultsSetting;
  const lookup = (place: readonly PropertyKey[]) => ({ value: valueAt(value, place), source: undefined });
  const subject = { name: "it", description: () => descriptionOf(faultsSchema) };
  const complaints = explainIssues(parsed.error.issues, lookup, subject).map(({ text }) => text);
  throw usageFailure(`${path}: ${complaints.join("; ")}`, "docs/guides/simulator.md lists the faults");
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
