// What a rehearsal comes to: what is still unknown, what may be switched on, the profile in the configuration, and the page that
// keeps all of it.

import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "yaml";
import { isStartOnly } from "../../app/config/bot-config.ts";
import { requireConfig } from "../../app/config/load-config.ts";
import { writeResults } from "../../app/data/result-file.ts";
import { type Finding, fine, skipped, unknown } from "../../app/finding.ts";
import { readConfigText } from "../../config/load.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Profile, resolveProfile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { Learned, Session } from "./orders.ts";

const UNKNOWN = "not shown";
const SWITCH = "switch on";
/** Of a page, where nothing ended the rehearsal early. */
export const ALL_PLAYED = "All scenes were played.";

export function conclusions({ isShown, parameters, ...learned }: Learned, { quotes }: Profile): readonly Finding[] {
  const { isKilledListed, band, isMinted, isRailed } = learned;
  const release = parameters?.release;
  const isKnown = (known: boolean | undefined, what: string, next?: string): readonly Finding[] =>
    known ? [] : [unknown(UNKNOWN, what, next)];
  const mayBe = (may: boolean | undefined, what: string, yes: string, no: string): Finding =>
    (may ? fine : skipped)(SWITCH, `${what}: ${may ? `yes, ${yes}` : `not yet, ${no}`}`);
  const releasing = release?.kind === "up-to" ? `${release.value} ${release.value.asset}` : "";
  const windowS = Math.round((parameters?.windowMs ?? 0) / 1_000);
  return [
    ...isKnown(isShown, "the rows of a fill in both lists, its fee and its balances", "pegbot rehearse again"),
    ...isKnown(isKilledListed !== undefined, "whether the list of orders keeps an order that did not fill"),
    ...isKnown(band !== undefined, "the venue's price band: no limit met it"),
    ...isKnown(isMinted, "the row of a mint, its minimum and its fee", "pegbot rehearse --mint VCHF@ETH=QUANTITY"),
    ...isKnown(isRailed, "the row of a rail", "pegbot rehearse --rail on:TEMPLATE"),
    ...isKnown(false, "what no rehearsal can show: docs/guides/profile.md, Gaps without a switch"),
    mayBe(isShown, "orders (pegbot run)", "answer, lists and balances agree", "no fill was confirmed by all of them"),
    mayBe(
      releasing !== "",
      "release of lost orders without a person",
      `up to ${releasing}, once trades, orders and balances agree for ${windowS} s`,
      release?.kind === "person" ? release.why : "equity has no price",
    ),
    mayBe(quotes === "get", "the venue's quotes", "they are read", "it shows none; prices come from reference feeds"),
    mayBe(isMinted, "mints", "one was accepted and is listed", "none was made"),
    mayBe(isRailed, "rails", "one is registered and listed", "none was made"),
  ];
}

/** Markdown that reads well as plain text too. What a venue wrote may stand in any of it, so all of it is code. */
export function pageText(title: string, end: string, findings: readonly Finding[], { sent, contact }: Session): string {
  const groupOf = ({ check, verdict }: Finding): string => (check === SWITCH ? SWITCH : verdict);
  const of = (group: string): readonly string[] =>
    findings
      .filter((one) => groupOf(one) === group)
      .map(({ check, cause, next }) => {
        const about = check === SWITCH || check === UNKNOWN ? "" : `${code(check)}: `;
        return `- ${about}${code(cause)}${next === undefined ? "" : `. Next: ${code(next)}`}`;
      });
  const chapters: readonly (readonly [string, readonly string[]])[] = [
    ["To be mended", of("problem")],
    ["To be looked at", of("warning")],
    ["What may be switched on", of(SWITCH)],
    ["What was sent", sent.map(({ id, what, answer }) => `- ${code(`${what}: ${answer} (${id})`)}`)],
    ["The profile of this venue", ["```yaml", "venue:", `  profile: ${profileYaml(contact.profile)}`, "```"]],
    ["What was seen", of("ok")],
    ["Still unknown", of("unknown")],
    ["Not checked", of("skipped")],
  ];
  const shown = chapters
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `## ${name}\n\n${lines.join("\n")}`);
  return `${[`# ${title}`, end, ...shown].join("\n\n")}\n`;
}

/** Longer fences than any inside: no text of a venue ends them. */
function code(text: string): string {
  const clean = printable(text, 2_000);
  const fence = "`".repeat(1 + Math.max(0, ...[...clean.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const pad = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** Whether the configuration has the profile now, and no variable overrides it. */
export async function keepProfile({ person, options, contact }: Session): Promise<boolean> {
  const { shell, prompts } = person;
  const { terminal, configFile } = shell;
  const yaml = profileYaml(contact.profile);
  const lines = `venue:\n  profile: ${yaml}\n`;
  const written = readConfigText(configFile);
  const text = written.ok && !isStartOnly(shell) ? withProfile(written.value, yaml) : undefined;
  terminal.note(`the profile of this venue:\n${lines}`);
  const question = `Type write to put it into ${configFile}; no other setting there changes`;
  if (text === undefined) terminal.note(`${configFile} has no safe place for it: put it there by hand`);
  else if (options.yes || (terminal.interactive && (await prompts.text(question)).trim() === "write")) {
    // Written only over the text that it was made from: a person may have edited the file since.
    if (isDeepStrictEqual(readConfigText(configFile), written))
      return (
        writeResults([{ what: "profile", flag: "--config", path: configFile, text }]).tell(terminal) ===
          exitCode.done && isSame(resolveProfile(requireConfig(shell).config.venue.profile), contact.profile)
      );
    terminal.note(`${configFile} has changed meanwhile and stays as it is: put the line there by hand`);
  }
  return false;
}

export function isSame(one: Profile, other: Profile): boolean {
  return isDeepStrictEqual({ ...one }, { ...other });
}

/** The same settings and comments with this profile; undefined where another setting would change. */
export function withProfile(text: string, yaml: string): string | undefined {
  const setting: unknown = parseDocument(yaml).toJS();
  const [before, changed] = [parseDocument(text), parseDocument(text)];
  try {
    changed.setIn(["venue", "profile"], changed.createNode(setting, { flow: true }));
    const after = changed.toString({ lineWidth: 0 });
    before.setIn(["venue", "profile"], setting);
    return isDeepStrictEqual(parseDocument(after).toJS(), before.toJS()) ? after : undefined;
  } catch {
    // An anchor in it has aliases elsewhere, or the file is no mapping.
    return undefined;
  }
}
