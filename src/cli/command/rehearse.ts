// `rehearse`: the guided first day. Doctor's reads, the smallest order with its rows and balances, two that should not
// fill, on request a mint and a rail; then the profile and a page of what was seen. Everything that moves money passes
// the gate, journal and protocol of `order`, `mint` and `rail`.

import { dirname, join } from "node:path";
import type { Command } from "commander";
import { botConfig, ownerConfig } from "../../app/config/bot-config.ts";
import { keyEnvironment } from "../../app/config/identity.ts";
import { writeResults } from "../../app/data/result-file.ts";
import { createReport, type Finding, problem, type Report } from "../../app/finding.ts";
import { type Headless, openHeadless } from "../../app/owner/headless.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { terminalPrompts } from "../../app/terminal/prompts.ts";
import { LineClosed } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { Quantity } from "../../domain/money/money.ts";
import { utcText } from "../../domain/time-text.ts";
import type { WireExchange } from "../../exchange/client.ts";
import { type Profile, resolveProfile } from "../../exchange/profile.ts";
import type { ContactOptions } from "../contact/check.ts";
import { type Learning, learningExchange, unknownEnd } from "../contact/learning.ts";
import { type RehearsalOptions, Scenes, type Session } from "../contact/orders.ts";
import type { Line } from "../contact/own-order.ts";
import { ALL_PLAYED, conclusions, isSame, keepProfile, pageText } from "../contact/page.ts";
import { writeProfile } from "../contact/profile-file.ts";
import { lineOf } from "../contact/signature.ts";
import { profileName, runDuration } from "../option/values.ts";
import { contactOf, diagnose, type Seams } from "./doctor.ts";

const HELP = `
Asks before it sends: an order of the smallest size that should fill, then two
that should not, each compared with both lists and the balances. The profile
goes into the configuration when you type write; next to it a page of what was
seen, and profiles/NAME-DAY.yaml for others, without the account. Run again, it begins with an order that is still open. Ends with 0 when all
was seen, 1 at a problem, 3 refused, 4 unknown (rehearse again), 5 halted.`;

export function defineRehearse(command: Command, run: Run): void {
  command
    .argument("[pair]", "VCHF/CHF, for example; the first of risk.symbols unless set")
    .option("--sell", "sell instead of buying")
    .option("--value-max <value>", "what may move in all, in risk.currency", quantity)
    .option("--production", "with real money; needs --value-max")
    .option("--mint <coin@chain=qty>", "also a mint: VCHF@ETH=100000")
    .option("--rail <template>", "also a rail: on:NAME or off:NAME of treasury.rails")
    .option("--profile <name>", "of profiles/<name>-<day>.yaml; the venue's host unless set", profileName)
    .option("--confirm-within <time>", "wait this long for lists and balances; 75s unless set", runDuration)
    .option("--try-signatures", "when the venue refuses the signature, try the other forms without asking")
    .option("--yes", "confirm without a terminal")
    .addHelpText("after", HELP)
    .action((pair: string | undefined, options: RehearseOptions) =>
      run((shell) => rehearse(shell, { ...options, ...(pair !== undefined && { pair }) })),
    );
}

function quantity(text: string): string {
  return String(orFail(Quantity.parse(text, "positive"), "--value-max"));
}

export type RehearseOptions = RehearsalOptions & ContactOptions & { readonly production?: boolean };

export async function rehearse(shell: Shell, options: RehearseOptions, seams: Seams = {}): Promise<ExitCode> {
  const config = botConfig(shell);
  requireFlags(config, options);
  const report = createReport(shell.terminal);
  let isFirst = true;
  const add: Report["add"] = (...found) => report.add(...(isFirst ? found.map(eased) : found));
  const session: Session = {
    ...{ options, learned: {}, sent: [], moved: new Map(), open: new Set<string>() },
    contact: contactOf(shell, config, options, { add }, seams),
    person: { shell: remarking(shell), prompts: seams.prompts ?? terminalPrompts, stop: shell.stopSignal() },
  };
  const met = diagnose(session.contact).finally(() => {
    isFirst = false;
  });
  const configured = session.contact.profile;
  const code = await met
    .then(() => played(session, configured, report))
    .catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      report.add(problem("rehearsal", error.message, error.next));
      // Before an order is known about, no other failure may say that nothing moved.
      return session.open.size > 0 && NOTHING_MOVED.has(error.code) ? exitCode.unknown : error.code;
    });
  const { sent, learned, contact } = session;
  const isPlayed = learned.parameters !== undefined;
  if (isPlayed) report.add(...conclusions(learned, contact.profile));
  const page = isPlayed ? keepPage(shell, session, report.findings, code) : null;
  const profile = isPlayed ? writeProfile(contact, "rehearse", options.profile, learned) : null;
  const found = report.end({ exitCode: code, sent, page, profile });
  return code === exitCode.done ? found : code;
}

const NOTHING_MOVED: ReadonlySet<ExitCode> = new Set([exitCode.failed, exitCode.usage, exitCode.refused]);

/** A form that the venue takes is gone on with, and rows are looked at again when there are orders. */
function eased(one: Finding): Finding {
  const isMended = one.check === "shapes" || one.yaml !== undefined;
  return one.verdict === "problem" && isMended ? { ...one, verdict: "warning" } : one;
}

function requireFlags(config: Config, { production, valueMax }: RehearseOptions): void {
  if (config.mode === "shadow")
    throw usageFailure("a shadow's orders reach its local book: they show nothing of the venue", "set mode: live");
  if (keyEnvironment(config) === "production" && !(production && valueMax !== undefined))
    throw usageFailure(
      "venue.environment is production: rehearse needs --production and --value-max there; nothing was sent",
      "rehearse on the test environment first",
    );
}

function keepPage(shell: Shell, session: Session, findings: readonly Finding[], code: ExitCode): string {
  const { venue, mode } = session.contact.config;
  const at = utcText(shell.clock.now());
  const where = venue.baseUrl === undefined ? "the embedded simulator" : new URL(venue.baseUrl).host;
  const title = `Rehearsal at ${where} (${mode === "paper" ? "paper" : venue.environment}), ${at}`;
  const end = code === exitCode.done ? ALL_PLAYED : `Ended early, with exit code ${code}.`;
  const path = join(dirname(shell.configFile), `rehearsal-${at.replace(/[-:]/g, "")}.md`);
  const page = writeResults([
    { what: "page", flag: "--config", path, text: pageText(title, end, findings, session), isPrivate: true },
  ]);
  shell.terminal.note(`page     ${page.placeOf(path)}`);
  return page.placeOf(path);
}

async function played(session: Session, configured: Profile, report: Report): Promise<ExitCode> {
  const { contact, person, options } = session;
  // Without the lists of orders and trades a lost order could not be looked up.
  const isInTheWay = ({ check, verdict, cause }: Finding): boolean =>
    verdict === "problem" || (check === "history" && /^(orders|trades): /.test(cause));
  if (!contact.has.has("signature") || report.findings.some(isInTheWay))
    throw plainFailure("the venue is not ready; nothing was sent", "the lines above say why");
  if (!isSame(configured, contact.profile) && !(await keepProfile(session)))
    throw plainFailure("the venue takes another profile; nothing was sent", "set venue.profile, and rehearse again");
  // The configuration may have been edited since.
  const config = ownerConfig(person.shell);
  requireFlags(config, options);
  try {
    return await asOwner(session, config);
  } finally {
    // However it ends: a halt is left with the profile that the bot needs afterwards.
    const written = resolveProfile(botConfig(person.shell).venue.profile);
    if (!isSame(written, contact.profile) && !(await keepProfile(session)))
      contact.report.add(
        problem("profile", "its own rows need another profile", "set venue.profile before a bot runs"),
      );
  }
}

/** The rehearsal is the owner of the key: while a bot runs it is refused. */
async function asOwner(session: Session, config: Config): Promise<ExitCode> {
  const { contact, person } = session;
  let owner: Headless | undefined;
  const learning: Learning = {
    ...{ contact, timers: systemTimers, understood: new Set(), odd: new Map() },
    core: () => owner?.core(),
  };
  const opened: { line?: Line } = {};
  const speak = (line: Line): WireExchange => {
    opened.line = line;
    return learningExchange(line, learning);
  };
  owner = await openHeadless(person.shell, { config, tuning: contact.tuning, speak }, person.stop);
  try {
    const trader = await owner.trader();
    return await new Scenes(session, trader, lineOf(opened.line), learning).play();
  } catch (error) {
    if (!(error instanceof LineClosed)) throw error;
    throw session.open.size > 0 ? unknownEnd(error.message) : plainFailure(`${error.message}; nothing is open`);
  } finally {
    await owner.close();
  }
}

/** The results of its parts are remarks here: the result is the report. */
function remarking(shell: Shell): Shell {
  const { terminal } = shell;
  const print = (line = ""): void => terminal.note(line);
  return { ...shell, terminal: { ...terminal, wantsJson: false, print } };
}
