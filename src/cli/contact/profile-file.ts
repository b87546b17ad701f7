// The profile that a rehearsal or doctor ends with: how the venue is spoken to, each switch with what showed it, to be shared.
// Only names and words in plain letters get in, so that no amount, id, key or address of the account does.

import { dirname, join } from "node:path";
import { isEmbedded } from "../../app/config/paper-place.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { createFile } from "../../disk/new-file.ts";
import { orFail, plainFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { isLoopback } from "../../domain/loopback.ts";
import { type Profile, type ProfileFile, presets, profileFileSchema } from "../../exchange/profile.ts";
import { SIGNING_SWITCHES } from "../../exchange/profile-candidates.ts";
import type { Contact } from "./check.ts";
import type { Learned } from "./orders.ts";
import { PAGES } from "./venue.ts";

const OUT = "left out: it may name the account";

/** A word in letters: no amount, id, key or address looks like one. */
function isPlain(word: string): boolean {
  return /^[A-Za-z][A-Za-z _.-]{0,30}$/.test(word) && !/[A-Za-z]{25}/.test(word);
}

/** `by`: who looks, doctor or rehearse. */
function profileFile(contact: Contact, by: string, name: string, learned: Partial<Learned> = {}): ProfileFile {
  const { profile, shell, config, met, skewMs, tookMs } = contact;
  const switches: [string, unknown][] = Object.entries(profile).map(([key, is]) => {
    const shown = shownBy(key as keyof Profile, contact, learned);
    const own = { is, by: shown === undefined ? "not shown" : `${by}: ${shown}` };
    const kept = withoutOdd(is);
    if (kept === undefined) return [key, { is: presets.contract[key as keyof Profile], by: OUT }];
    return [key, JSON.stringify(kept) === JSON.stringify(is) ? own : { is: kept, by: `${own.by}; others ${OUT}` }];
  });
  const seen: Record<string, { readonly is: string | number; readonly by: string }> = {};
  const see = (what: string, is: string | number, how: string): void => {
    seen[what] = { is, by: `${by}: ${how}` };
  };
  const named = (all: readonly string[]): string => all.filter(isPlain).join(", ").slice(0, 1_000) || OUT;
  for (const { list, rows, place, fields, words } of met.values()) {
    if (rows === 0) continue;
    const isNamed = place.split("`").every((part) => part === "" || isPlain(part.trim()));
    see(`list of ${list}`, isNamed ? place : OUT, "its answer");
    if (fields.length > 0) see(`fields of ${list}`, named(fields), "its rows");
    if (words.length > 0) see(`statuses of ${list}`, named(words), "its rows");
    if (PAGES.has(rows)) see(`page of ${list}`, rows, "so many rows, which may be a page");
  }
  const took = tookMs.toSorted((one, other) => one - other);
  const at = (share: number): number => Math.round(took[Math.floor(share * (took.length - 1))] as number);
  if (skewMs !== undefined)
    see("clock skew, ms", Math.round(skewMs), "our clock less the Date of an answer, which has whole seconds");
  if (took.length > 0) see("latency, ms", `${at(0.5)} in the median, ${at(1)} at most`, `${took.length} reads`);
  return profileFileSchema.parse({
    name,
    date: new Date(shell.clock.now()).toISOString().slice(0, 10),
    switches: Object.fromEntries(switches),
    instruments: config.venue.instruments,
    seen,
  });
}

/** The parts of a value in plain letters; undefined where the value itself is not. */
function withoutOdd(is: unknown): unknown {
  if (Array.isArray(is)) return is.filter(isPlain);
  if (typeof is === "object" && is !== null)
    return Object.fromEntries(Object.entries(is).filter(([word]) => isPlain(word)));
  // Values of a switch with letters and digits are names of its own: p256, base64.
  return typeof is === "string" && is.length > 20 && !isPlain(is) ? undefined : is;
}

const FILL: ReadonlySet<string> = new Set(
  "formNumbers feeMissing feeCurrencyMissing feeInside fillsAt timesWithoutZone fields statuses".split(" "),
);
const MINT: ReadonlySet<string> = new Set("mintMinimum mintDestination mintFunding".split(" "));
const SIGNED: ReadonlySet<string> = new Set(["curve", ...SIGNING_SWITCHES]);

function shownBy(name: keyof Profile, { has, met, pairs, profile }: Contact, learned: Partial<Learned>) {
  if (SIGNED.has(name)) return has.has("signature") ? "a signed read was taken" : undefined;
  if (name === "formCalls") return met.has("supplyChanges") ? "a call with fields was taken" : undefined;
  if (name === "tradingPairs" || name === "pairStatusMissing") return pairs?.kind === "read" ? "pairs" : undefined;
  if (name === "quotes")
    return met.has("quotes") ? "quotes" : profile.quotes === "absent" ? "there are none" : undefined;
  if (FILL.has(name)) return learned.isShown ? "an own fill in lists and balances" : undefined;
  if (MINT.has(name)) return learned.isMinted ? "a mint" : undefined;
  return undefined;
}

function profileText({ name, date, switches, instruments, seen }: ProfileFile): string {
  const shown = (one: unknown): string => {
    const { is, by } = one as { readonly is?: unknown; readonly by?: unknown };
    return by === undefined ? JSON.stringify(one) : `{ is: ${JSON.stringify(is)}, by: ${JSON.stringify(by)} }`;
  };
  const lines = (section: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.entries(section).map(([key, one]) => `  ${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${shown(one)}`);
  const part = (title: string, section: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.keys(section).length === 0 ? [] : [`${title}:`, ...lines(section)];
  return `${[
    "# How a venue is spoken to, and what showed it: pegbot init --profile takes this file (docs/guides/profile.md). It has no amount, id,",
    "# key or address of the account; read it before you share it.",
    `name: ${name}`,
    `date: ${date}`,
    ...part("switches", switches),
    ...part("instruments", instruments),
    ...part("seen", seen),
  ].join("\n")}\n`;
}

/** Next to the configuration, under a name that is free. */
export function writeProfile(contact: Contact, by: string, wanted: string | undefined, learned?: Learned): string {
  const name = wanted ?? venueName(contact);
  const file = profileFile(contact, by, name, learned);
  const folder = join(dirname(contact.shell.configFile), "profiles");
  orFail(createFolder(folder, 0o755));
  for (let n = 1; ; n++) {
    const path = join(folder, `${name}-${file.date}${n === 1 ? "" : `-${n}`}.yaml`);
    try {
      createFile(path, profileText(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw plainFailure(`the profile could not be written to ${path}: ${errorMessage(error)}`);
    }
    contact.shell.terminal.note(`profile  ${path}`);
    return path;
  }
}

function venueName({ config }: Contact): string {
  const { baseUrl } = config.venue;
  const host = baseUrl === undefined || isEmbedded(config) ? "localhost" : new URL(baseUrl).hostname;
  return isLoopback(host)
    ? "simulator"
    : host
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 40);
}
