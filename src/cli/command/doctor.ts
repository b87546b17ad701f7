// `doctor`: checks everything between the configuration and the account, one step after the other, and prints the cause
// and the next step for each problem. It only reads: nothing it sends can move money. On request it sends a test
// notice.

import type { Command } from "commander";
import { limitsOf } from "../../app/bot/core-of.ts";
import { environmentName, keyEnvironment } from "../../app/bot/identity.ts";
import { CommandFailure } from "../../app/command-failure.ts";
import { isStartOnly } from "../../app/config/bot-config.ts";
import { startConfig } from "../../app/config/start-config.ts";
import { venueAddress } from "../../app/config/venue-address.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { createReport, type DoctorReport, type Finding, problem, skipped } from "../../app/finding.ts";
import { joinBudget, lookAtKey, type Tuning } from "../../app/key/join-budget.ts";
import { connect } from "../../app/key/open-exchange.ts";
import { embeddedConfig, isEmbedded, withEmbeddedVenue } from "../../app/paper/paper-place.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { environment } from "../../config/environment.ts";
import { loadConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import { ok } from "../../domain/result.ts";
import { awaitedBudget, type KeyBudget } from "../../exchange/budget/budget.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { RUN } from "../../execution/remediation.ts";
import { pauseOf } from "../../watch/status/connectivity.ts";
import {
  checkEachFeed,
  checkFeeds,
  checkKey,
  checkLimits,
  checkLimitsInForce,
  checkNotices,
  oddConfiguration,
  rightConfiguration,
  wrongConfiguration,
} from "../doctor/configuration.ts";
import {
  brokenLedger,
  checkBot,
  checkBound,
  checkCurrency,
  checkHost,
  checkJournalTime,
  checkLedger,
  checkOwner,
  checkRoom,
  keyTakenAt,
} from "../doctor/records.ts";
import type { SearchHooks } from "../doctor/signature.ts";
import { checkVenue } from "../doctor/venue.ts";

const HELP = `
Takes some ten seconds: it asks in the key's turn, one request a second. At a
terminal it asks you before it tries other signatures. Ends with 0 when there is
no problem, with 1 when there is one, with 2 when the configuration is wrong.`;

export function defineDoctor(command: Command, run: Run): void {
  command
    .option(
      "--try-signatures",
      "when the venue refuses the signature, try the other forms, one a second, without asking",
    )
    .option("--send-notice", "send a test message by each channel of notices, as the bot would")
    .addHelpText("after", HELP)
    .action((options: DoctorOptions) => run((shell) => doctor(shell, options)));
}

export type DoctorOptions = {
  readonly trySignatures?: boolean;
  readonly sendNotice?: boolean;
};

/** Replaced by tests. */
export type Seams = { readonly prompts?: Prompts; readonly tuning?: Tuning };

export async function doctor(shell: Shell, options: DoctorOptions, seams: Seams = {}): Promise<ExitCode> {
  const report = createReport(shell.terminal);
  const isReadable = await diagnose(shell, options, { ...seams, report });
  const code = report.end();
  return isReadable ? code : exitCode.usage;
}

type Diagnosing = Seams & Pick<SearchHooks, "found"> & { readonly report: DoctorReport };

/** False where the configuration cannot be read. */
export async function diagnose(
  shell: Shell,
  options: DoctorOptions,
  { prompts = terminalPrompts, tuning = {}, report, found }: Diagnosing,
): Promise<boolean> {
  const loaded = isStartOnly(shell) ? ok({ config: startConfig() }) : loadConfig(shell.configFile, environment());
  if (!loaded.ok) {
    report.add(...wrongConfiguration(shell.configFile, loaded.error));
    return false;
  }
  const { config } = loaded.value;
  report.add(rightConfiguration(config), ...oddConfiguration(config, shell.configFile));
  report.add(...checkCurrency(config.journal.path, limitsOf(config).currency), ...checkHost(config));
  report.add(...checkJournalTime(config.journal.path, shell.clock.now()));
  report.add(...checkBot(config.journal.path), ...checkRoom(config.journal.path));
  report.add(checkLimits(config), checkFeeds(config));
  report.add(...(await checkEachFeed(shell, config)));
  report.add(...(await checkNotices(shell, config, options.sendNotice === true)));
  // On paper the bot uses the paper account's key, whatever key is configured.
  const isInside = isEmbedded(config);
  const used = isInside ? embeddedConfig(config, undefined) : config;
  const { finding, signer } = await checkKey(shell, used, prompts);
  report.add(finding);
  if (signer !== undefined) {
    try {
      const whose = { environment: environmentName(config), account: signer.fingerprint };
      report.add(...checkOwner(config.journal.path, whose));
      const takenAt = keyTakenAt(config.journal.path, whose);
      const parts = {
        hooks: { ...searchHooks(shell, options, prompts), takenAt, ...(found && { found }) },
        report,
        tuning,
      };
      await checkKeyInUse(shell, isInside ? withEmbeddedVenue(config) : config, signer, { ...parts, isInside });
    } finally {
      signer.close();
    }
  } else if (finding.verdict === "problem")
    report.add(skipped("venue", "without a key its budget is unknown, and nothing is asked"));
  else if (isInside) report.add(NO_BOT);
  return true;
}

const NO_BOT = skipped(
  "venue",
  "on paper the simulator runs inside the bot, and no bot runs: there is no venue to ask",
  `begin one by ${RUN}: doctor asks its simulator while it runs`,
);

type Parts = {
  readonly hooks: SearchHooks;
  readonly report: DoctorReport;
  readonly tuning: Tuning;
  /**
   * The venue is the simulator inside a bot: it exists only while the bot runs, and a recorded address may outlast it.
   */
  readonly isInside: boolean;
};

async function checkKeyInUse(shell: Shell, config: Config, signer: Signer, parts: Parts): Promise<void> {
  const { report, tuning, isInside } = parts;
  const environment = environmentName(config);
  const looked = isInside ? lookAtKey(shell, { account: signer.fingerprint, environment }) : undefined;
  // Without a venue to ask no slot is needed, and the ledger stays as it is.
  if (looked?.ok && looked.value.bot === undefined) {
    const { path, journal } = looked.value;
    const key = { ledger: { path, journalOf: () => journal }, environment, hasAccountBeside: true };
    report.add(checkLedger(looked.value, shell.clock.now()), ...(await checkBound(key, config.journal.path)), NO_BOT);
    return;
  }
  const budget = await orFinding(report, brokenLedger, () =>
    joinBudget(shell, signer, { environment: keyEnvironment(config), isTrial: true, ...tuning }),
  );
  if (budget === undefined) return;
  try {
    const status = budget.ledger.urgently(() => budget.ledger.status());
    report.add(checkLedger(status, shell.clock.now()), ...checkLimitsInForce(status, config));
    const key = { ledger: budget.ledger, environment, hasAccountBeside: isInside };
    report.add(...(await checkBound(key, config.journal.path)));
    const isThere = config.venue.baseUrl !== undefined && !(isInside && status.bot === undefined);
    const pause = pauseOf(false, status);
    if (!isThere) report.add(NO_BOT);
    else if (pause !== undefined)
      report.add(problem("venue", `${pause}; doctor asks nothing`, "run doctor again then"));
    else await checkConnected(shell, config, { signer, budget }, parts);
  } finally {
    budget.close();
  }
}

type KeyInUse = { readonly signer: Signer; readonly budget: KeyBudget };

async function checkConnected(shell: Shell, config: Config, key: KeyInUse, { hooks, report }: Parts): Promise<void> {
  const noAddress = ({ message, next = "correct venue.baseUrl" }: CommandFailure): Finding =>
    problem("connection", message, next);
  const base = await orFinding(report, noAddress, async () => venueAddress(config));
  if (base === undefined) return;
  const budget = awaitedBudget(key.budget, shell.clock);
  const line = connect(shell, {
    base,
    config,
    signer: key.signer,
    budget,
    instruments: config.venue.instruments,
  });
  try {
    const profile = { ...resolveProfile(config.venue.profile), curve: key.signer.curve };
    await checkVenue({ line, budget: key.budget, clock: shell.clock, base, config, profile }, hooks, report);
  } finally {
    line.close();
  }
}

/** An expected failure is a finding here, not the end of the command. */
async function orFinding<T>(
  report: DoctorReport,
  finding: (failure: CommandFailure) => Finding,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    report.add(finding(error));
    return undefined;
  }
}

function searchHooks({ terminal }: Shell, { trySignatures }: DoctorOptions, prompts: Prompts): SearchHooks {
  let allowed: boolean | undefined = trySignatures === true ? true : terminal.interactive ? undefined : false;
  return {
    isWanted: trySignatures === true,
    async permission(tries) {
      allowed ??= (await prompts.choice(question(tries), ANSWERS)) === "yes";
      return allowed;
    },
    progress: (tries, of) => terminal.note(`trying signatures: ${tries} of ${of}`),
  };
}

function question(tries: number): string {
  return `The venue refuses the request. Try up to ${tries} other forms of it, one a second? Venues may lock a key after many refusals.`;
}

const ANSWERS = [
  { value: "yes", label: "yes", hint: "a read that moves nothing; stops at the first word of a lock" },
  { value: "no", label: "no" },
] as const;
