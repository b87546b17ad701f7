// Checks the configuration before the venue is asked: mistakes, limits, feeds, notices and the key.

import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { readNoticeSecrets, sendTest } from "../../app/bot/open-notices.ts";
import { recordOpener } from "../../app/bot/open-record.ts";
import { CommandFailure } from "../../app/command-failure.ts";
import { otherLimits, SAME_LIMITS } from "../../app/config/limits-in-force.ts";
import { treasuryOddities, unpricedFunds } from "../../app/config/oddities.ts";
import { openToOthers } from "../../app/config/open-to-others.ts";
import { MORE_SOURCES, poorPairs, poorText, referenceNames } from "../../app/feeds/price-sources.ts";
import { feedOf } from "../../app/feeds/references.ts";
import { type Finding, fine, problem, skipped, warning } from "../../app/finding.ts";
import { openKey } from "../../app/key/open-signer.ts";
import { isEmbedded, paperPlace } from "../../app/paper/paper-place.ts";
import type { Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { personHere } from "../../app/terminal/confirmation.ts";
import type { Prompts } from "../../app/terminal/prompts.ts";
import { type Mistake, mistakeLine } from "../../config/mistake.ts";
import type { Config } from "../../config/schema.ts";
import type { Reference } from "../../config/section/reference.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { createRandom } from "../../domain/random.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { whyNoQuote } from "../../market/refusal.ts";

export function rightConfiguration({ mode, venue, strategy }: Config): Finding {
  const where = venue.baseUrl ?? "the embedded simulator";
  return fine("configuration", `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}`);
}

/** Valid settings that have no effect on this machine or in the treasury. */
export function oddConfiguration(config: Config, file: string): readonly Finding[] {
  const { path } = config.journal;
  const why = whyNoPlace(path);
  const all = (causes: readonly string[], next: string): readonly Finding[] =>
    causes.map((cause) => warning("configuration", cause, next));
  return [
    ...all(unpricedFunds(config), "add it to risk.symbols, or to a feed of market.references"),
    ...all(treasuryOddities(config), "correct it, if it is not meant; docs/TREASURY.md says what plans are made of"),
    ...all(openToOthers(config, file), "chmod o-w, and chown to the user of the bot"),
    ...(why === undefined
      ? []
      : [problem("journal", `journal.path is ${path}: ${why}`, "name a place that this user may write to")]),
  ];
}

export function wrongConfiguration(file: string, mistakes: readonly Mistake[]): readonly Finding[] {
  const next = "correct it there; pegbot config check looks at the configuration alone, pegbot init writes a new one";
  return mistakes.map((mistake) => problem("configuration", mistakeLine(file, mistake), next));
}

export function checkLimits({ risk, mode }: Config): Finding {
  if (risk !== undefined)
    return fine("limits", `orders up to ${risk.orderValueMax} ${risk.currency}, on ${risk.symbols.join(", ")}`);
  // In live mode missing limits are already a mistake of the configuration.
  return (mode === "live" ? problem : fine)(
    "limits",
    "the configuration has no section risk: paper mode has limits of its own",
    "live mode needs the section risk, every limit named, and confirm, key and venue.baseUrl",
  );
}

/** A running bot has read its limits at its start. */
export function checkLimitsInForce(status: Pick<LedgerStatus, "bot" | "members">, config: Config): readonly Finding[] {
  const cause = otherLimits(status, config);
  return cause === undefined ? [] : [warning("limits", cause, SAME_LIMITS)];
}

export function checkFeeds(config: Config): Finding {
  const { market } = config;
  // The ECB feed only measures; it gives no prices.
  const feeds = market.references.filter(({ kind }) => kind !== "ecb");
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
  const told = [...heard.entries()].map(([symbol, price]) => `${symbol} ${price}`).join(", ");
  if (missing.length === 0 && trouble === undefined)
    return fine(check, feed.kind === "ecb" ? `daily rates: ${told}` : told);
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
      if (whyNoQuote(bid, ask, true) === undefined) heard.set(symbol, priceText(bid, ask));
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
  const next = "name webhook or telegram there: docs/CONFIGURATION.md says how";
  if (channels.length === 0)
    return isSent ? [problem(check, "the section notices has no channel: no message is sent", next)] : [];
  try {
    const secrets = readNoticeSecrets(config);
    if (!isSent)
      return [fine(check, `by ${channels.join(", ")}, not tried`, "pegbot doctor --send-notice sends a test by each")];
    return (await sendTest(config, secrets, clock, personHere())).map(({ channel, refusal }) =>
      refusal === undefined
        ? fine(check, `${channel} has taken a test message: look whether it has come`)
        : problem(
            check,
            `${channel} did not take a test message: ${refusal}`,
            `look at notices.${channel}: address, login and receiver; then --send-notice again`,
          ),
    );
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return [problem(check, error.message, error.next ?? "the bot does not start without it")];
  }
}

const LOST = "mend it as the message says, or make a key with pegbot keys generate";
/** A journal accepts no key other than its own. */
const LOST_BESIDE_BOOKS =
  'mend it as the message says, or bring the key back; if it is lost for good: docs/OPERATIONS.md, "A new key for the same account"';

type KeyCheck = { readonly finding: Finding; readonly signer: Signer | undefined };

/** The caller closes the signer. The checks continue with the key's curve, whatever the profile names. */
export async function checkKey(shell: Shell, config: Config, prompts: Prompts): Promise<KeyCheck> {
  const { key, venue, journal } = config;
  if (isEmbedded(config) && !existsSync(paperPlace(journal.path).key))
    return {
      finding: skipped("key", "none is needed: a paper account's is made at its first start"),
      signer: undefined,
    };
  try {
    const signer = await openKey(shell, key, undefined, prompts);
    return { finding: keyFinding(signer, resolveProfile(venue.profile).curve), signer };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const next = error.next ?? (existsSync(journal.path) ? LOST_BESIDE_BOOKS : LOST);
    return { finding: problem("key", error.message, next), signer: undefined };
  }
}

function keyFinding({ curve, fingerprint, publicKey }: Signer, expected: Signer["curve"]): Finding {
  const about = `fingerprint ${fingerprint}, curve ${curve}, sent as ${publicKey}`;
  if (curve === expected) return fine("key", about);
  return problem(
    "key",
    `curve of the key is ${curve}, the profile says ${expected} (${about})`,
    `set venue.profile.curve to ${curve} if the portal took this key, or use a key on ${expected}`,
  );
}
