// `rehearse`: the guided first day. Doctor's reads, the smallest order with its rows and balances, two that should not
// fill, on request a mint and a rail; then the profile and a page of what was seen. Everything that moves money passes
// the gate, journal and protocol of `order`, `mint` and `rail`.

import { dirname, join } from "node:path";
import type { Command } from "commander";
import { keyEnvironment } from "../../app/bot/identity.ts";
import { CommandFailure, orFail, usageFailure } from "../../app/command-failure.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { writeResults } from "../../app/data/result-file.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { createReport, type Finding, problem, type Report } from "../../app/finding.ts";
import { withOpenBooks } from "../../app/money-command/with-open-books.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { terminalPrompts } from "../../app/terminal/prompts.ts";
import type { Config } from "../../config/schema.ts";
import { Quantity } from "../../domain/money/money.ts";
import { utcText } from "../../domain/time-text.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { runDuration } from "../option/values.ts";
import { conclusions, pageText } from "../rehearsal/page.ts";
import { isSame, isSameToClient, keepProfile } from "../rehearsal/profile-lines.ts";
import { type RehearsalOptions, Scenes, type Session } from "../rehearsal/scenes.ts";
import { type DoctorOptions, diagnose, type Seams } from "./doctor.ts";

const HELP = `
Asks before it sends: an order of the smallest size that should fill, then two
at better prices that should not. Each is compared with both lists and the
balances. A profile that the venue shows goes into the configuration when you
type write (or with --profile-file into a file), and a page of what was seen,
what is unknown and what may be switched on next to it. Run it again at any
time: an order that is still open comes first. Ends with 0 when all was seen, 1
at a problem, 3 refused by a rule or the venue, 4 outcome unknown (do not repeat
the order, rehearse again), 5 halted.`;

export function defineRehearse(command: Command, run: Run): void {
  command
    .argument("[pair]", "VCHF/CHF, for example; the first of risk.symbols unless set")
    .option("--sell", "sell instead of buying")
    .option("--value-max <value>", "what may move in all, in risk.currency", quantity)
    .option("--production", "with real money; needs --value-max")
    .option("--mint <coin@chain=qty>", "also a mint: VCHF@ETH=100000")
    .option("--rail <template>", "also a rail: on:NAME or off:NAME of treasury.rails")
    .option("--profile-file <file>", "write the profile there; the configuration stays as it is")
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

export type RehearseOptions = RehearsalOptions & DoctorOptions & { readonly production?: boolean };

export async function rehearse(
  shell: Shell,
  options: RehearseOptions,
  { prompts = terminalPrompts, tuning = {} }: Seams = {},
): Promise<ExitCode> {
  const config = botConfig(shell);
  requireAllowed(config, options);
  const report = createReport(shell.terminal);
  const session: Session = {
    ...{ options, report, learned: {}, sent: [], moved: undefined, isFilled: false, isReopened: false },
    person: { shell: remarking(shell), prompts, stop: shell.stopSignal() },
    profile: resolveProfile(config.venue.profile),
  };
  let code: ExitCode;
  try {
    code = await played(session, shell, options, { prompts, tuning });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    code = error.code;
    report.add(problem("rehearsal", error.message, error.next));
  }
  const { sent, profile } = session;
  report.add(...conclusions(session.learned, profile));
  const at = utcText(shell.clock.now());
  const path = join(dirname(shell.configFile), `rehearsal-${at.replace(/[-:]/g, "")}.md`);
  const where = config.venue.baseUrl === undefined ? "the embedded simulator" : new URL(config.venue.baseUrl).host;
  const end = code === exitCode.done ? "All scenes were played." : `Ended early, with exit code ${code}.`;
  const title = `Rehearsal at ${where} (${config.mode === "paper" ? "paper" : config.venue.environment}), ${at}`;
  const text = pageText({ title, end, findings: report.findings, sent, profile });
  const page = writeResults([{ what: "page", flag: "--config", path, text }]).placeOf(path);
  shell.terminal.note(`page     ${page}`);
  const found = report.end({ exitCode: code, sent, page });
  return code === exitCode.done ? found : code;
}

function requireAllowed(config: Config, { production, valueMax }: RehearseOptions): void {
  if (keyEnvironment(config) !== "production" || (production && valueMax !== undefined)) return;
  throw usageFailure(
    "venue.environment is production: rehearse needs --production and --value-max there; nothing was sent",
    "rehearse on the test environment first",
  );
}

/** The configuration is read anew where its profile was changed. */
const ROUNDS_MAX = 4;

async function played(
  session: Session,
  shell: Shell,
  options: RehearseOptions,
  { prompts, tuning }: Required<Seams>,
): Promise<ExitCode> {
  const { person, report } = session;
  const keep = () => keepProfile(person, session.profile, options.yes, options.profileFile);
  // Rows are looked at again when there are orders, and another profile is not in the way once it is written.
  const isLeftOut = ({ check, verdict }: Finding): boolean => check === "shapes" && verdict === "warning";
  const isMended = ({ check, yaml }: Finding): boolean => ["shapes", "bot"].includes(check) || yaml !== undefined;
  const eased = (one: Finding): Finding =>
    one.verdict === "problem" && isMended(one) ? { ...one, verdict: "warning" } : one;
  const add: Report["add"] = (...found) => report.add(...found.filter((one) => !isLeftOut(one)).map(eased));
  const met = await diagnose(shell, options, { prompts, tuning, report: { ...report, add } });
  // Without these lists a lost order could not be looked up.
  const isNeeded = ({ check, cause }: Finding): boolean => check === "history" && /^(orders|trades): /.test(cause);
  const isInTheWay = (one: Finding): boolean => one.verdict === "problem" || isNeeded(one);
  if (met === undefined || met === "misconfigured" || report.findings.some(isInTheWay))
    throw new CommandFailure(exitCode.failed, "the venue is not ready; nothing was sent", "see the problems above");
  const isKnown = isSameToClient(session.profile, met);
  session.profile = met;
  if (!isKnown && !(await keep()))
    throw new CommandFailure(exitCode.failed, "the venue takes another profile; nothing was sent", "set venue.profile");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    session.isReopened = false;
    const code = await withOpenBooks(
      person.shell,
      (tool, connection) => new Scenes(session, tool, connection).play(),
      tuning,
    );
    if (session.isReopened) continue;
    if (!isSame(resolveProfile(botConfig(shell).venue.profile), session.profile)) await keep();
    return code;
  }
  throw new CommandFailure(exitCode.unknown, "the profile changed too often", "pegbot rehearse again");
}

/** The results of its parts are remarks here: the result is the report. */
function remarking(shell: Shell): Shell {
  const { terminal } = shell;
  const print = (line = ""): void => terminal.note(line);
  return { ...shell, terminal: { ...terminal, wantsJson: false, print } };
}
