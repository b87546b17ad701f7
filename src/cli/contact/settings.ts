// The checks that ask no venue: configuration, limits, feeds, notices, the key and who else uses it.

import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { readNoticeSecrets, sendTest } from "../../app/bot/open-notices.ts";
import { keyEnvironment } from "../../app/config/identity.ts";
import { treasuryOddities, unpricedFunds } from "../../app/config/oddities.ts";
import { openToOthers } from "../../app/config/open-to-others.ts";
import { isEmbedded, paperPlace, withEmbeddedVenue } from "../../app/config/paper-place.ts";
import { venueAddress } from "../../app/config/venue-address.ts";
import { recordOpener } from "../../app/data/open-record.ts";
import { MORE_SOURCES, poorPairs, poorText, referenceNames } from "../../app/feeds/price-sources.ts";
import { feedOf } from "../../app/feeds/references.ts";
import { type Finding, fine, problem, skipped, warning } from "../../app/finding.ts";
import { joinBudget, KeyHeld } from "../../app/key/join-budget.ts";
import { connect } from "../../app/key/open-exchange.ts";
import { openKey } from "../../app/key/open-signer.ts";
import { askedOwner } from "../../app/owner/ask-owner.ts";
import type { Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { createRandom } from "../../domain/random.ts";
import type { Millis } from "../../domain/time.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import type { Failure } from "../../exchange/port.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { RUN } from "../../execution/remediation.ts";
import { whyNoQuote } from "../../market/refusal.ts";
import { personHere } from "../../operation/person.ts";
import { type ReadRows, read } from "../../operation/read.ts";
import { status as operation } from "../../operation/status.ts";
import { pauseOf } from "../../watch/status/connectivity.ts";
import type { Status } from "../../watch/status.ts";
import type { Check, Contact } from "./check.ts";
import { explainFailure } from "./signature.ts";

export const SETTINGS: readonly Check[] = [
  { name: "configuration", run: ({ config, shell }) => checkConfiguration(config, shell.configFile) },
  { name: "limits", run: ({ config }) => [checkLimits(config)] },
  { name: "feeds", run: async ({ shell, config }) => [checkFeeds(config), ...(await checkEachFeed(shell, config))] },
  { name: "notices", run: ({ shell, config, options }) => checkNotices(shell, config, options.sendNotice === true) },
  { name: "key", run: checkKey },
  { name: "ledger", needs: "key", run: checkBudget },
];

/** Valid settings without an effect on this machine or in the treasury are warnings. */
function checkConfiguration(config: Config, file: string): readonly Finding[] {
  const { mode, venue, strategy, journal } = config;
  const where = venue.baseUrl ?? "the embedded simulator";
  const why = whyNoPlace(journal.path);
  const all = (causes: readonly string[], next: string): readonly Finding[] =>
    causes.map((cause) => warning("configuration", cause, next));
  return [
    fine("configuration", `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}`),
    ...all(unpricedFunds(config), "add it to risk.symbols, or to a feed of market.references"),
    ...all(
      treasuryOddities(config),
      "correct it, if it is not meant; docs/guides/treasury.md says what plans are made of",
    ),
    ...all(openToOthers(config, file), "chmod o-w, and chown to the user of the bot"),
    ...(why === undefined
      ? []
      : [problem("journal", `journal.path is ${journal.path}: ${why}`, "name a place that this user may write to")]),
  ];
}

function checkLimits({ risk }: Config): Finding {
  if (risk !== undefined)
    return fine("limits", `orders up to ${risk.orderValueMax} ${risk.currency}, on ${risk.symbols.join(", ")}`);
  return fine(
    "limits",
    "the configuration has no section risk: paper mode has limits of its own",
    "live mode needs the section risk, every limit named, and confirm, key and venue.baseUrl",
  );
}

export function checkFeeds(config: Config): Finding {
  const { market } = config;
  const feeds = market.references;
  const simulated = market.references.length === 0 ? referenceNames(config).length : 0;
  const count = simulated > 0 ? `the simulator's ${simulated}` : feeds.length;
  const cause = `${ownPrices(config)} and ${count} reference feeds`;
  const poor = poorPairs(config);
  if (poor.length === 0) return fine("feeds", cause);
  return warning("feeds", `${cause}: ${poor.map(poorText).join("; ")}`, MORE_SOURCES);
}

function ownPrices({ venue, market }: Config): string {
  if (venue.baseUrl === undefined) return `a simulated market (${market.source ?? "calibrated"})`;
  return resolveProfile(venue.profile).quotes === "absent" ? "no prices of the venue" : "the venue's quotes";
}

/** ccxt loads an exchange's markets first, which takes a while. */
const LISTEN_MS_MAX = 15_000;
/** A failing feed gets time for a second attempt. */
const TROUBLE_MS_MAX = 3_000;

/** All feeds at once, each until every pair had a price, or for a limited time. */
export function checkEachFeed(shell: Shell, { market }: Pick<Config, "market">): Promise<readonly Finding[]> {
  return Promise.all(market.references.map((feed) => checkFeed(shell, feed)));
}

async function checkFeed(shell: Shell, feed: Reference): Promise<Finding> {
  const check = `feed ${feed.name}`;
  const wanted = new Set([...feed.symbols, ...("derive" in feed ? feed.derive : [])] as PairSymbol[]);
  const { heard, trouble } = await listened(shell, feed, wanted);
  const missing = [...wanted].filter((symbol) => !heard.has(symbol));
  const prices = [...heard.entries()].map(([symbol, price]) => `${symbol} ${price}`).join(", ");
  if (missing.length === 0 && trouble === undefined) return fine(check, prices);
  return (heard.size === 0 ? problem : warning)(
    check,
    trouble ?? `nothing of ${missing.join(", ")} within ${LISTEN_MS_MAX / 1_000} s`,
    `look at market.references, the feed called ${feed.name}: its kind, url and symbols`,
  );
}

type Listened = { readonly heard: ReadonlyMap<PairSymbol, string>; readonly trouble: string | undefined };

function listened(shell: Shell, feed: Reference, wanted: ReadonlySet<PairSymbol>): Promise<Listened> {
  return new Promise((resolve) => {
    const heard = new Map<PairSymbol, string>();
    let trouble: string | undefined;
    const end = (): void => {
      cancel();
      quotes.unsubscribe();
      resolve({ heard, trouble });
    };
    let cancel = systemTimers.after(LISTEN_MS_MAX, end);
    const quotes = feedOf(feed, {
      clock: shell.clock,
      random: createRandom(randomInt(2 ** 47)),
      openRecord: recordOpener(shell),
      onTrouble: (_, reason) => {
        trouble = reason;
        if (reason === undefined) return;
        cancel();
        cancel = systemTimers.after(TROUBLE_MS_MAX, end);
      },
    }).subscribe(({ symbol, bid, ask }) => {
      if (whyNoQuote(bid, ask) === undefined) heard.set(symbol, priceText(bid, ask));
      // Deferred: a feed may deliver before there is a subscription to end.
      if (heard.size === wanted.size) systemTimers.after(0, end);
    });
  });
}

function priceText(bid: number, ask: number): string {
  const [low, high] = [bid, ask].map((price) => String(Number(price.toPrecision(8))));
  return low === high ? `${low}` : `${low} to ${high}`;
}

const CHANNELS = ["webhook", "telegram"] as const;

/** `isSent`: sends one message through each channel. Otherwise nothing is reported if there is no channel. */
export async function checkNotices(
  { clock }: Pick<Shell, "clock">,
  config: Config,
  isSent: boolean,
): Promise<readonly Finding[]> {
  const check = "notices";
  const channels = CHANNELS.filter((channel) => config.notices[channel] !== undefined);
  const next = "name webhook or telegram there: docs/guides/configuration.md says how";
  if (channels.length === 0)
    return isSent ? [problem(check, "the section notices has no channel: no message is sent", next)] : [];
  try {
    const secrets = readNoticeSecrets(config);
    if (!isSent)
      return [fine(check, `by ${channels.join(", ")}, not tried`, "pegbot doctor --send-notice sends a test by each")];
    return (await sendTest(config, secrets, clock, personHere())).map(({ channel, refusal }) =>
      refusal === undefined
        ? fine(check, `${channel} has taken a test message: look whether it has come`)
        : problem(check, `${channel} did not take a test message: ${refusal}`, `look at notices.${channel}`),
    );
  } catch (error) {
    return [failed(check, "the bot does not start without it", error)];
  }
}

/** An expected failure is a finding here, not the end of the command. */
function failed(check: string, next: string, error: unknown): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  return problem(check, error.message, error.next ?? next);
}

const LOST =
  "fix it as the message says, or bring the key back; pegbot keys generate makes a new one (docs/operate/maintain.md#a-new-key-for-the-same-account)";

/** The checks go on with the key's curve, whatever the profile names. */
async function checkKey(contact: Contact): Promise<readonly Finding[]> {
  const { shell, config, prompts, has, closing, profile } = contact;
  if (isEmbedded(config) && !existsSync(paperPlace(config.journal.path).key))
    return [skipped("key", "none is needed: a paper account's is made at its first start"), NO_VENUE];
  try {
    // On paper the bot uses the paper account's key, whatever key is configured.
    const signer = await openKey(shell, withEmbeddedVenue(config).key, undefined, prompts);
    closing.push(() => signer.close());
    contact.signer = signer;
    has.add("key");
    const { curve, fingerprint, publicKey } = signer;
    const about = `fingerprint ${fingerprint}, curve ${curve}, sent as ${publicKey}`;
    if (curve === profile.curve) return [fine("key", about)];
    contact.profile = { ...profile, curve };
    return [
      problem(
        "key",
        `curve of the key is ${curve}, the profile says ${profile.curve} (${about})`,
        `set venue.profile.curve to ${curve} if the portal took this key, or use a key on ${profile.curve}`,
      ),
    ];
  } catch (error) {
    return [failed("key", LOST, error)];
  }
}

const NO_VENUE = skipped(
  "venue",
  "the embedded simulator runs inside the bot and serves it alone: there is no venue to check",
  `${RUN} begins one, and pegbot status says how it stands`,
);

const LEDGER =
  "see docs/operate/key-file.md, and never delete the file of a key that is in use: it keeps the last nonce";

async function checkBudget(contact: Contact): Promise<readonly Finding[]> {
  const { shell, signer, tuning, closing, has } = contact;
  const { config } = contact;
  if (signer === undefined) return [];
  if (isEmbedded(config)) return [NO_VENUE];
  try {
    const environment = keyEnvironment(config);
    const trial = { environment, isTrial: true, patienceMs: 2_000, ...tuning };
    const budget = await joinBudget(shell, signer, config.journal.path, trial);
    closing.push(() => budget.close());
    const status = budget.file.status();
    const found = checkLedger(status, shell.clock.now());
    const pause = pauseOf(false, status);
    if (pause !== undefined) return [found, pausedBy(pause)];
    const base = venueAddress(config);
    const { instruments } = config.venue;
    const line = connect(shell, { base, config, signer, budget, instruments });
    closing.push(() => line.close());
    contact.line = line;
    has.add("venue");
    return [found];
  } catch (error) {
    if (contact.options.byOwner === true && error instanceof KeyHeld) return checkByOwner(contact, error);
    return [failed("ledger", LEDGER, error)];
  }
}

const BY_OWNER = ["assets", "pairs", "balances", "addresses", "orders", "trades", "rails", "payments"] as const;

/** A bot has the key: it asks the venue, and what it is answered says what is wrong. */
async function checkByOwner({ shell }: Contact, held: KeyHeld): Promise<readonly Finding[]> {
  const found: Finding[] = [fine("ledger", `${held.message}: it asks the venue`)];
  for (const list of BY_OWNER)
    try {
      // A read would wait until the pause is over.
      const told = await askedOwner<Status>(shell, operation, undefined);
      const pause = pauseOf(told?.phase.kind === "unwritable", told?.budget);
      if (pause !== undefined) return [...found, pausedBy(pause), ALONE];
      const answer = await askedOwner<ReadRows>(shell, read, { list });
      if (answer === undefined) return [failed("ledger", LEDGER, held)];
      found.push(checkRows(list, answer));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const [, code = "", message = error.message] = /^([a-z-]+): (.*)$/s.exec(error.message) ?? [];
      const { cause, next } = explainFailure({ kind: "failed", failure: { code, message } as Failure });
      found.push(problem(list, cause, next));
    }
  return [...found, ALONE];
}

const ALONE = skipped(
  "venue",
  "connection, clock, quotes, signature, fields and shapes are checked only while no bot has the key",
);

function pausedBy(pause: string): Finding {
  return problem("venue", `${pause}; doctor asks nothing`, "run doctor again then");
}

function checkRows(list: string, { rows, problems }: ReadRows): Finding {
  if (problems.length === 0) return fine(list, `${rows.length} rows`);
  const cause = `${rows.length} rows; rows that cannot be read: ${problems.join(", ")}`;
  return warning(list, cause, "if it names a switch: set it in venue.profile");
}

/** A venue whose clock is ahead of ours is met by its own time. */
const NONCE_AHEAD_MS_MAX = 32_000;
const COMPLAINT_MS_MAX = 600_000;

function checkLedger(status: KeyStatus, now: Millis): Finding {
  const { lastNonce, rateLimitedMsAgo, doubtsOnly } = status;
  const aheadMs = (lastNonce ?? now) - now;
  const nonce = lastNonce === undefined ? "no nonce was ever drawn" : `last nonce ${agoText(-aheadMs)}`;
  const found = (cause: string, next: string): Finding => warning("ledger", `${cause}; ${nonce}`, next);
  if (aheadMs > NONCE_AHEAD_MS_MAX)
    return found(
      "the last nonce is ahead of this machine's clock",
      "correct the clock; if it is right, the venue's was wrong: the key is usable again once that time has come",
    );
  const complained = rateLimitedMsAgo.at(-1);
  if (doubtsOnly || (complained !== undefined && complained < COMPLAINT_MS_MAX))
    return found(
      doubtsOnly
        ? "after many rate-limit answers only orders in doubt are queried"
        : "the venue answered that requests come too fast",
      "another program uses the key on another machine or under another user: give it a key of its own",
    );
  return fine("ledger", nonce);
}

function agoText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const long = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return ms >= 0 ? `${long} ago` : `${long} ahead of this machine's clock`;
}
