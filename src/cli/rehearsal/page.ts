// The state of a rehearsal, and what it comes to: what is still unknown, what may be switched on, and the page that keeps all of it.

import { type Finding, fine, type Report, skipped, unknown } from "../../app/finding.ts";
import type { Person } from "../../app/terminal/confirmation.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Profile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { Parameters } from "../../execution/parameters.ts";

export type Session = {
  /** Its terminal takes results as remarks. */
  readonly person: Person;
  readonly options: RehearsalOptions;
  readonly report: Report;
  readonly learned: Learned;
  readonly sent: Sent[];
  /** As the venue was met, and as its rows have shown since. */
  profile: Profile;
  /** What each order has moved by its answer or its row; undefined without a rate. */
  readonly moved: Map<string, Money | undefined>;
  /** Orders of which it is not known yet what became of them. */
  readonly open: Set<string>;
  /** The configuration has another profile by now: the books are opened anew. */
  isReopened: boolean;
};

export type RehearsalOptions = {
  readonly pair?: string;
  readonly sell?: boolean;
  readonly yes?: boolean;
  readonly valueMax?: string;
  readonly mint?: string;
  readonly rail?: string;
  readonly profileFile?: string;
  readonly confirmWithin?: number;
};

/** What was learned so far. */
export type Learned = {
  /** Trades, orders and balances show the fill. */
  isShown?: boolean;
  parameters?: Pick<Parameters, "release" | "windowMs">;
  /** Whether the list of orders keeps an order that did not fill. */
  isKilledListed?: boolean;
  /** The list of orders has one word for a fill and for an order that did not fill. */
  isOneWord?: boolean;
  /** The venue's code for a limit outside its price band. */
  band?: string;
  /** The widest distance of a limit from fair value. */
  widest?: string;
  isMinted?: boolean;
  isRailed?: boolean;
};

const UNKNOWN = "not shown";
const SWITCH = "switch on";

export function conclusions({ isShown, parameters, ...learned }: Learned, { quotes }: Profile): readonly Finding[] {
  const { isKilledListed, band, widest, isMinted, isRailed } = learned;
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
    ...isKnown(band !== undefined, `the venue's price band: ${widest ?? "no limit"} did not meet it`),
    ...isKnown(isMinted, "the row of a mint, its minimum and its fee", "pegbot rehearse --mint VCHF@ETH=QUANTITY"),
    ...isKnown(isRailed, "the row of a rail", "pegbot rehearse --rail on:TEMPLATE"),
    ...isKnown(false, "the rows of payments: no payment is made here"),
    ...isKnown(false, "how late lists and balances may be when the venue is busy: a running bot measures every fill"),
    ...isKnown(false, "what a second order with the same client order id does: pegbot never sends one"),
    ...isKnown(false, "the window of the rate limit: pegbot keeps a second between requests and obeys Retry-After"),
    ...isKnown(false, "how many rows the lists return, and for how long: pegbot checks that they reach back"),
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

type Sent = { readonly id: string; readonly what: string; readonly answer: string };

/** Markdown that reads well as plain text too. */
export function pageText(title: string, end: string, { report, sent, profile }: Session): string {
  const verdictOf = ({ check, verdict }: Finding): string => (check === SWITCH ? SWITCH : verdict);
  const of = (which: string): readonly string[] =>
    report.findings
      .filter((one) => verdictOf(one) === which)
      .map(({ check, cause, next }) => {
        const about = check === SWITCH || check === UNKNOWN ? "" : `**${check}**: `;
        return item(`${about}${cause}${next === undefined ? "" : `. Next: ${next}`}`);
      });
  const chapters: readonly (readonly [string, readonly string[]])[] = [
    ["To be mended", of("problem")],
    ["To be looked at", of("warning")],
    ["What may be switched on", of(SWITCH)],
    ["What was sent", sent.map(({ id, what, answer }) => item(`${what}: ${answer} (${id})`))],
    ["The profile of this venue", ["```yaml", "venue:", `  profile: ${profileYaml(profile)}`, "```"]],
    ["What was seen", of("ok")],
    ["Still unknown", of("unknown")],
    ["Not checked", of("skipped")],
  ];
  const shown = chapters
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `## ${name}\n\n${lines.join("\n")}`);
  return `${[`# ${title}`, end, ...shown].join("\n\n")}\n`;
}

function item(text: string): string {
  return `- ${printable(text, 2_000)}`;
}
