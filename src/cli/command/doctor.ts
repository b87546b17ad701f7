// `doctor`: checks everything between the configuration and the account, one step after the other, and prints the cause
// and the next step for each problem. It only reads: nothing it sends can move money. On request it sends a test
// notice.

import type { Command } from "commander";
import { isStartOnly } from "../../app/config/bot-config.ts";
import { withEmbeddedVenue } from "../../app/config/paper-place.ts";
import { startConfig } from "../../app/config/start-config.ts";
import { createReport, problem } from "../../app/finding.ts";
import type { Tuning } from "../../app/key/join-budget.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { environment } from "../../config/environment.ts";
import { loadConfig } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import type { Config } from "../../config/schema.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { ok } from "../../domain/result.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { type Contact, type ContactOptions, runChecks } from "../contact/check.ts";
import { liveChecklist } from "../contact/live.ts";
import { writeProfile } from "../contact/profile-file.ts";
import { SETTINGS } from "../contact/settings.ts";
import { VENUE } from "../contact/venue.ts";
import { profileName } from "../option/values.ts";

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
    .option("--profile <name>", "writes profiles/<name>-<day>.yaml to be shared, without the account", profileName)
    .option("--send-notice", "send a test message by each channel of notices, as the bot would")
    .option("--live", "what the days in shadow showed, and what is missing before live; asks nothing of the venue")
    .addHelpText("after", HELP)
    .action((options: ContactOptions) => run((shell) => doctor(shell, options)));
}

/** Replaced by tests. */
export type Seams = { readonly prompts?: Prompts; readonly tuning?: Tuning };

const MISTAKEN = "correct it there; pegbot config check looks at the configuration alone, pegbot init writes a new one";

export async function doctor(shell: Shell, options: ContactOptions, seams: Seams = {}): Promise<ExitCode> {
  const report = createReport(shell.terminal);
  const loaded = isStartOnly(shell) ? ok({ config: startConfig() }) : loadConfig(shell.configFile, environment());
  if (!loaded.ok) {
    for (const mistake of loaded.error)
      report.add(problem("configuration", mistakeLine(shell.configFile, mistake), MISTAKEN));
    report.end();
    return exitCode.usage;
  }
  if (options.live === true) {
    report.add(...(await liveChecklist(shell, loaded.value.config)));
    return report.end();
  }
  const contact = contactOf(shell, loaded.value.config, { ...options, byOwner: true }, report, seams);
  await diagnose(contact);
  const { profile: name } = options;
  const isTaken = contact.has.has("signature");
  if (name !== undefined && !isTaken)
    report.add(problem("profile", "the venue has taken no signature: nothing was written"));
  return report.end(name !== undefined && isTaken ? { profile: writeProfile(contact, "doctor", name) } : undefined);
}

export function contactOf(
  shell: Shell,
  config: Config,
  options: ContactOptions,
  report: Contact["report"],
  { prompts = terminalPrompts, tuning = {} }: Seams,
): Contact {
  const profile = resolveProfile(withEmbeddedVenue(config).venue.profile);
  const found = { has: new Set() as Contact["has"], shapes: [], met: new Map(), tookMs: [], closing: [] };
  return { ...{ shell, config, options, report, prompts, tuning, profile }, ...found };
}

/** All checks that move nothing. */
export async function diagnose(contact: Contact): Promise<void> {
  try {
    await runChecks([...SETTINGS, ...VENUE], contact);
  } finally {
    for (const close of contact.closing.splice(0).reverse()) close();
  }
}
