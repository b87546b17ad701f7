// The configuration that `init` writes: for each purpose what it needs, and no more.

import type { Profile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";

export type InitAnswers = {
  readonly purpose: "look" | "shadow" | "live";
  readonly environment: "test" | "production";
  readonly key: "file" | "keystore";
  readonly currency: string;
  readonly equity: string;
  /** Absent: conversions alone. */
  readonly strategy?: "peg-arbitrage" | undefined;
  /** Absent: the simulator inside the bot, which needs no key. */
  readonly baseUrl?: string | undefined;
  readonly profile: Profile;
  readonly instruments: Readonly<Record<string, unknown>>;
};

/** Relative to the configuration file. */
export type InitPaths = { readonly key: string; readonly passphraseFile: string | undefined };

const HEAD = `# pegbot's configuration. \`pegbot config check\` finds every mistake in it, \`pegbot config show\` says what is in
# force, docs/reference/configuration.md has every key. Relative paths are relative to this file.
`;

const STRATEGY = `strategy:
  use: peg-arbitrage # or the path of a .ts or .js file
`;

export function configTemplate(answers: InitAnswers, paths: InitPaths): string {
  const { purpose, environment, baseUrl } = answers;
  const sections = [
    HEAD,
    `mode: ${purpose === "look" ? "paper" : purpose} # ${MODES[purpose]}\n${purpose === "live" ? `# confirm: "trade real money on ${environment}" # without it nothing starts\n` : ""}`,
    baseUrl === undefined ? MARKET : `${venueLines(answers, baseUrl)}\n${keyLines(answers, paths)}`,
    purpose !== "live" || answers.strategy !== undefined ? STRATEGY : conversionLines(answers),
    ...(purpose === "look" ? [] : [riskLines(answers)]),
    ...(purpose === "shadow" ? ["journal:\n  path: ./data/shadow.db # live has another one\n"] : []),
  ];
  return sections.join("\n");
}

/** Every step is asked for until bounds are named. */
function conversionLines({ currency, equity }: InitAnswers): string {
  const coin = `V${currency}`;
  return `strategy:
  use: hold # orders nothing; peg-arbitrage trades in addition

conversions: # standing instructions: docs/guides/treasury.md
  keep-coins: { keep: ${coin}, high: ${quoted(equity)} } # what is above it becomes ${currency}
  # friday: { from: ${coin}, to: ${currency}, amount: all, every: friday, at: "14:00", maxCostBps: 10 } # UTC

treasury:
  approvals:
    automatic: true # plans by itself; you approve each step, until orderValueMax and dayValueMax let some go unasked
`;
}

const MODES = {
  look: "no real money",
  shadow: "reads the venue, and sends nothing that moves money",
  live: "real money",
} as const;

const MARKET = `market:
  source: demo # prices built to be earned from; calibrated is as hard as a real market. Or a file of recorded prices
`;

function venueLines({ environment, profile, instruments }: InitAnswers, baseUrl: string): string {
  const pairs = Object.entries(instruments).map(([pair, is]) => `    ${quoted(pair)}: ${JSON.stringify(is)}\n`);
  return `venue:
  baseUrl: ${quoted(baseUrl)}
  environment: ${environment} # the key belongs to it
  profile: ${profileYaml(profile)} # how the venue is spoken to where its interface leaves a choice
${pairs.length === 0 ? "" : `  instruments: # what the venue's list of pairs leaves out\n${pairs.join("")}`}`;
}

/** A preset, as shares of the equity that is named here, with the venue's own coin; prices come from its quotes and par. */
function riskLines({ currency, equity }: InitAnswers): string {
  const pair = `V${currency}/${currency}`;
  return `market:
  references: [] # feeds that fair value is taken from
  # par: { "${pair}": 50 } # par is a source of fair value here, while the venue's quote is this near to it, in basis points

risk:
  preset: cautious # every limit as a share of equity (docs/guides/limits.md)
  currency: ${currency}
  equity: ${quoted(equity)} # what the account is worth in it, about
  symbols: ["${pair}"]
`;
}

function keyLines({ key }: InitAnswers, paths: InitPaths): string {
  if (key === "file") return `key:\n  file: ${quoted(paths.key)} # the private key; only you can read it\n`;
  const { passphraseFile } = paths;
  const passphrase = passphraseFile === undefined ? "" : `  passphraseFile: ${quoted(passphraseFile)}\n`;
  return `key:\n  keystore: ${quoted(paths.key)} # asks for its passphrase at each start, unless passphraseFile has it\n${passphrase}`;
}

/** A path is outside text; a JSON string is also valid YAML. */
function quoted(path: string): string {
  return JSON.stringify(path);
}
