// The configuration that `init` writes: paper mode on the embedded simulator, with the settings of live mode as
// comments. The comments on limits come from the schema, so they cannot go stale.

import { descriptionsAt } from "../../config/description.ts";
import type { Config } from "../../config/schema.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Curve } from "../../exchange/profile.ts";

export type InitAnswers = {
  readonly environment: "test" | "production";
  readonly curve: Curve;
  readonly key: "file" | "keystore";
};

/** Relative to the configuration file. */
export type InitPaths = { readonly key: string; readonly passphraseFile: string | undefined };

export function configTemplate(answers: InitAnswers, paths: InitPaths): string {
  const { environment, curve } = answers;
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

# Live mode needs every limit by name. In paper mode without this section the simulator's own limits hold;
# with it, name pairs that lead from all that the paper account has (CHF, VCHF, GBP, VGBP) to the currency, or it has no equity.
${riskLines()}

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

/** All except the heartbeat, which is off unless configured. */
type RiskKey = Exclude<keyof NonNullable<Config["risk"]>, "heartbeatMsMax">;

/** Limits for an account of about 100,000 CHF; a live user sets them to an affordable loss. */
const LIMITS: Readonly<Record<RiskKey, string>> = {
  currency: "CHF",
  symbols: '["VCHF/CHF"]',
  orderValueMax: '"5000"',
  orderQuantityMax: '{ "VCHF/CHF": "5000" }',
  assetExposureMax: '"30000"',
  grossExposureMax: '"60000"',
  depegLossBpsMax: "400",
  depegAssumedBps: "1200",
  issuerLossBpsMax: "6000",
  issuerEndBps: "6000",
  dailyLossBpsMax: "50",
  drawdownBpsMax: "100",
  markAgeMsMax: "900000",
  markHaircutBps: "200",
  collarBps: "50",
  collarHardBps: "200",
  exit: '{ collarBps: 100, floorBps: 3000, orderValueMax: "2500", perDayMax: "20000" }',
  referenceAgeMsMax: "5000",
  referenceSourcesMin: "2",
  referenceSpreadBpsMax: "30",
  ordersPerMinuteMax: "6",
  ordersPerDayMax: "200",
  turnoverPerHourMax: '"50000"',
  turnoverPerDayMax: '"200000"',
  rejectsPerSymbolMax: "5",
  rejectsMax: "10",
  rejectFreezeMs: "900000",
  lossesMax: "5",
  lossFreezeMs: "900000",
  adverseBpsMax: "1",
  duplicateWindowMs: "30000",
  offsetWindowMs: "60000",
  doubtsPerAssetMax: "1",
  doubtsMax: "2",
  doubtAgeMsMax: "900000",
  reserveBpsMin: "500",
  feeBpsMax: "10",
  feesPerDayMax: '"50"',
  decisionAgeMsMax: "3000",
  rampOrders: "50",
  rampSizeBps: "1000",
};

function riskLines(): string {
  const lines = Object.entries(LIMITS).map(([key, value]) => {
    const about = descriptionsAt(["risk", key])[0]?.description;
    invariant(about !== undefined, `risk.${key} must have a description`);
    return `#   ${key}: ${value} # ${about}`;
  });
  return ["# risk:", ...lines].join("\n");
}
