// The configuration that `init` writes: paper mode on the embedded simulator, with the settings of live mode as
// comments.

import type { Curve } from "../../exchange/profile.ts";

export type InitAnswers = {
  readonly environment: "test" | "production";
  readonly curve: Curve;
  readonly key: "file" | "keystore";
  readonly currency: string;
  readonly equity: string;
};

/** Relative to the configuration file. */
export type InitPaths = { readonly key: string; readonly passphraseFile: string | undefined };

export function configTemplate(answers: InitAnswers, paths: InitPaths): string {
  const { environment, curve, currency, equity } = answers;
  return `# pegbot's configuration. \`pegbot config check\` finds every mistake in it, \`pegbot config show\` says what is in
# force. Relative paths are relative to this file; PEGBOT__SECTION__KEY in the environment overrides a value.

# paper trades on a simulator inside the bot: no real money, and the key below is not used.
# live trades for real, and also needs: confirm, venue.baseUrl and risk.
mode: paper
# confirm: "trade real money on ${environment}"

venue:
  environment: ${environment} # test | production: the key belongs to one of them
  profile: ${curve === "p256" ? "contract" : `{ preset: contract, curve: ${curve} }`} # how the venue is spoken to where its interface leaves a choice
  # baseUrl: https://venue.example/api/v1/

key:
${keyLines(answers, paths)}
  # publicKey: "..." # as the portal shows it, when that is not what \`pegbot keys show\` prints

market:
  references: [] # feeds that fair value is taken from
  # par: { "VCHF/CHF": 50 } # live: par is a source of fair value here, while the venue's quote is this near to it, in basis points
  # source: demo # paper only: a busy market. The default, calibrated, is honest: little is worth trading. Or a file of recorded prices

strategy:
  use: peg-arbitrage # or the path of a .ts or .js file
  params: {}

# Live mode needs limits: a preset, as shares of the equity that is named here, and what you change of it; \`pegbot config show\`
# prints every limit in force. In paper mode without this section the simulator's own limits hold; with it, name pairs that
# lead from all that the paper account has (CHF, VCHF, GBP, VGBP) to the currency, or it has no equity.
# risk:
#   preset: cautious # docs/RISK.md
#   currency: ${currency}
#   equity: ${quoted(equity)} # what the account is worth in it, about
#   symbols: ["V${currency}/${currency}"]

treasury:
  targets: {}
  approvals: {}

journal:
  path: ./data/pegbot.db

server:
  host: 127.0.0.1
  port: 8787
`;
}

function keyLines({ key }: InitAnswers, paths: InitPaths): string {
  if (key === "file") return `  file: ${quoted(paths.key)} # the private key; only you can read it`;
  const passphraseFile =
    paths.passphraseFile === undefined
      ? `# passphraseFile: "./keys/passphrase"`
      : `passphraseFile: ${quoted(paths.passphraseFile)}`;
  return `  keystore: ${quoted(paths.key)} # the private key, under a passphrase
  ${passphraseFile} # mode 0600; without it pegbot asks for the passphrase at each start`;
}

/** A path is outside text; a JSON string is also valid YAML. */
function quoted(path: string): string {
  return JSON.stringify(path);
}
