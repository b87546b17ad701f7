// Checks the signature with a read that moves nothing (accountBalance). If refused, it is sent once more with a fresh nonce, because a
// stale nonce looks the same; then, with permission, the other forms are tried. Nonces are never guessed.

// Checks the signature with a read that moves nothing (accountBalance). If refused, it is sent once more with a fresh
// nonce, because a stale nonce looks the same; then, with permission, the other forms are tried. Nonces are never
// guessed.

import { type Explanation, type Finding, fine, problem, warning } from "../../app/finding.ts";
import type { VenueLine } from "../../app/key/open-exchange.ts";
import type { Balance } from "../../domain/balance.ts";
import { invariant } from "../../domain/invariant.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Clock, mono } from "../../domain/time.ts";
import type { Failure, Reading, Want } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import { candidateProfiles, profileYaml, SIGNING_SWITCHES } from "../../exchange/profile-candidates.ts";
import type { Contact } from "./check.ts";

const CHECK = "signature";

export async function checkSignature(contact: Contact): Promise<readonly Finding[]> {
  const first = await asked(contact, contact.profile);
  if (first.verdict.kind === "accepted") return taken(contact, first, fine(CHECK, "the venue takes it as configured"));
  if (first.verdict.kind !== "refused" && first.verdict.kind !== "named") return [explainTrouble(first.verdict)];
  const again = await asked(contact, contact.profile);
  if (again.verdict.kind === "accepted") {
    const cause = `refused once (${first.verdict.failure.message}), then taken with a fresh nonce`;
    const next = "another program may use this key on another machine or under another user: give it a key of its own";
    return taken(contact, again, warning(CHECK, cause, next));
  }
  if (again.verdict.kind !== "refused") return [explainTrouble(again.verdict)];
  const tries = candidateProfiles(contact.profile).length;
  const said = `the venue refuses the signature as configured (${again.verdict.failure.message})`;
  // Many refused signatures might lock the key.
  if (!(await mayTry(contact, tries)))
    return [
      problem(
        CHECK,
        said,
        `did the venue take this key before? Then look in its portal first: a key that was revoked or is used elsewhere is refused like this. Else pegbot doctor --try-signatures tries up to ${tries} other forms, one a second`,
      ),
    ];
  return search(contact, again.verdict, said);
}

type Tried = {
  readonly profile: Profile;
  readonly verdict: SignatureVerdict;
  readonly balances: Reading<readonly Balance[]>;
};

async function asked({ line, shell }: Contact, profile: Profile): Promise<Tried> {
  const balances = await lineOf(line).speaking(profile).balances(wanted(shell.clock));
  return { profile, balances, verdict: judgeSignature(balances) };
}

function taken(contact: Contact, { profile, balances }: Tried, finding: Finding): readonly Finding[] {
  contact.profile = profile;
  contact.balances = balances;
  contact.has.add("signature");
  return [finding];
}

/** Asked once for all requests that the venue refuses. */
export async function mayTry({ options, shell, prompts }: Contact, tries: number): Promise<boolean> {
  if (options.trySignatures === true || !shell.terminal.interactive) return options.trySignatures === true;
  const question = `The venue refuses the request. Try up to ${tries} other forms of it, one a second? Venues may lock a key after many refusals.`;
  return (await prompts.choice(question, ANSWERS)) === "yes";
}

const ANSWERS = [
  { value: "yes", label: "yes", hint: "a read that moves nothing; stops at the first word of a lock" },
  { value: "no", label: "no" },
] as const;

/** With the lines that set the form which the venue accepts. */
export function setProfile(check: string, said: string, profile: Profile): Finding {
  const next = "set venue.profile in the configuration:";
  return {
    ...problem(check, `${said}, and takes another form`, next),
    yaml: ["venue:", `  profile: ${profileYaml(profile)}`],
  };
}

/** At our own pace one rate-limit answer can be another program's fault; a second is no coincidence. */
const LIMITED_MAX = 1;
const ACCEPTED_TIMES = 3;

/**
 * Tries one candidate after the other, each with its own slot and nonce, until one is accepted three times or the
 * venue reports a lock or a limit. An acceptance can be a fluke: one signature in twenty has the same text in two encodings.
 */
async function search(contact: Contact, configured: Refused, said: string): Promise<readonly Finding[]> {
  const { profile, shell } = contact;
  const waiting = [...candidateProfiles(profile)];
  const of = waiting.length;
  const bodiesRefused = new Set(configured.what === "body" ? [profile.emptyCall] : []);
  const refused: { readonly profile: Profile; readonly answer: string }[] = [];
  let limited = 0;
  const attempt = async (form: Profile): Promise<Tried> => {
    for (;;) {
      const tried = await asked(contact, form);
      if (tried.verdict.kind !== "limited" || limited >= LIMITED_MAX) return tried;
      limited += 1;
    }
  };
  while (waiting.length > 0) {
    // A body that was refused before its signature was checked would be refused again: the other form goes first.
    const open = waiting.findIndex(({ emptyCall }) => !bodiesRefused.has(emptyCall));
    const [form] = waiting.splice(Math.max(0, open), 1) as [Profile];
    shell.terminal.note(`trying signatures: ${of - waiting.length} of ${of}`);
    let tried = await attempt(form);
    for (let times = 1; times < ACCEPTED_TIMES && tried.verdict.kind === "accepted"; times++)
      tried = await attempt(form);
    const { verdict } = tried;
    if (verdict.kind === "accepted") return taken(contact, tried, setProfile(CHECK, said, form));
    if (verdict.kind !== "refused") {
      // After this many refusals a 403 is about them, whatever it says.
      const { cause, next } = explainTrouble(verdict.kind === "forbidden" ? { ...verdict, kind: "locked" } : verdict);
      return [problem(CHECK, `${said}; the search stopped at ${profileYaml(form)}: ${cause}`, next)];
    }
    refused.push({ profile: form, answer: verdict.failure.message });
    if (verdict.what === "body") bodiesRefused.add(form.emptyCall);
  }
  return [
    problem(
      CHECK,
      `form or key: ${said}, and each of the ${of} other forms as well (${answersTo(refused)})`,
      "the key: is the public key above registered, in the portal of this environment? If the portal shows it in another form, set key.publicKey. The form: compare venue.profile with what the venue documents of its signing text",
    ),
  ];
}

/** Each answer with the number of forms that had it, and the switches on which these agree and others differ. */
function answersTo(refused: readonly { readonly profile: Profile; readonly answer: string }[]): string {
  const values = (of: typeof refused, name: keyof Profile) => new Set(of.map(({ profile }) => profile[name]));
  return [...Map.groupBy(refused, ({ answer }) => answer)]
    .map(([answer, of]) => {
      const own = SIGNING_SWITCHES.filter((name) => values(of, name).size === 1 && values(refused, name).size > 1);
      const told = own.map((name) => `, ${name} ${of[0]?.profile[name]}`).join("");
      return `${of.length}${told}: ${printable(answer, 120)}`;
    })
    .join("; ");
}

function explainTrouble(verdict: Exclude<SignatureVerdict, { kind: "accepted" | "refused" }>): Finding {
  const { cause, next } = causeOf(verdict);
  return problem(CHECK, cause, next);
}

function causeOf(verdict: Parameters<typeof explainTrouble>[0]): Explanation {
  switch (verdict.kind) {
    case "unanswered":
      return explainFailure(verdict.reading);
    case "limited":
    case "forbidden":
      return explainFailure({ kind: "failed", failure: verdict.failure });
    case "named":
      return {
        cause: `the signature is not the cause: the venue names the key, or a higher nonce that it has seen with it (${verdict.failure.message})`,
        next: "register the public key above in the portal of this environment, or set key.publicKey as the portal shows it. If it names a nonce: give each machine and user a key of its own; if that nonce lies in the future, wait until its time or register a new key",
      };
    case "locked":
      return {
        cause: `the venue seems to lock the key or the account (${verdict.failure.message})`,
        next: "send nothing more with this key until the venue's support or portal says that it is open again",
      };
  }
}

type Refused = { readonly kind: "refused"; readonly what: "signature" | "body"; readonly failure: Failure };

type SignatureVerdict =
  /** The signature is valid, whatever else may be wrong. */
  | { readonly kind: "accepted" }
  /** Another form might work: of the signature, or, if refused before the signature was checked, of the body. */
  | Refused
  /** `named`: the venue's message blames the key or the nonce. */
  | { readonly kind: "named" | "locked" | "limited" | "forbidden"; readonly failure: Failure }
  /** No information. */
  | { readonly kind: "unanswered"; readonly reading: Unread };

const LOCKED = /\block(ed|-?out)\b|\bblocked\b|\bsuspended\b|\bbanned\b|\btoo many (failed|invalid|wrong|bad)\b/i;
const NAMED_CODE = /nonce|(unknown|unregistered|invalid)[_-]?(public|api)?[_-]?key/i;
const NAMED =
  /\b(invalid|stale|old|low|lower|reused|used) nonce|\bnonce\b.{0,16}\b(must|higher|greater|low|stale|used|increas)|\b(unknown|unregistered|no such) (public |api )?key\b|\bkey\b.{0,16}\b(not registered|not found|unknown)/i;
/** A message that names more than one of these lists possible causes and not the actual one. */
const SUSPECTS = [/\bkey\b/i, /\bsign/i, /\bnonce\b/i];

/**
 * The venue answers 401 to a bad key, signature and nonce alike, so its code and its message decide if they can. This
 * is a diagnosis for a person; no trade depends on it.
 */
function judgeSignature(reading: Reading<unknown>): SignatureVerdict {
  if (reading.kind === "read") return { kind: "accepted" };
  if (reading.kind === "dropped") return { kind: "unanswered", reading };
  const { failure } = reading;
  const { code, status, message } = failure;
  if (status === undefined) return { kind: "unanswered", reading };
  if (status === 200 || code === "kyb-required" || code === "agreement-missing") return { kind: "accepted" };
  if (status >= 400 && status < 500 && LOCKED.test(message)) return { kind: "locked", failure };
  if (code === "rate-limited") return { kind: "limited", failure };
  if (code === "unauthorized") return refusalOf(failure);
  if (status === 400) return { kind: "refused", what: "body", failure };
  return status === 403 ? { kind: "forbidden", failure } : { kind: "unanswered", reading };
}

function refusalOf(failure: Failure): SignatureVerdict {
  const { message, venueCode = "" } = failure;
  const words = message.startsWith(`${venueCode}: `) ? message.slice(venueCode.length + 2) : message;
  const isPlain = SUSPECTS.filter((suspect) => suspect.test(words)).length === 1;
  const isNamed = NAMED_CODE.test(venueCode) || (isPlain && NAMED.test(words));
  return isNamed ? { kind: "named", failure } : { kind: "refused", what: "signature", failure };
}

export type Unread = Exclude<Reading<unknown>, { kind: "read" }>;

const TROUBLE = "try again in a few minutes; if it stays, ask the venue's support";
const LOOK = "check venue.baseUrl and the network between";

/** By failure code, if a person can fix it: the cause, and the next step. */
const EXPLANATIONS: Readonly<Record<string, readonly [cause: string, next: string]>> = {
  dns: ["the venue's name cannot be resolved", "check the host in venue.baseUrl, and the name server"],
  connect: ["no connection to the venue", "is it running? check host and port in venue.baseUrl, and the network"],
  "connect-timeout": ["the venue does not answer the connection", "check firewall and network"],
  "address-refused": [
    "the address is not allowed in this mode",
    "paper mode talks to loopback, live mode to https alone: correct mode or venue.baseUrl",
  ],
  proxy: ["no tunnel through venue.proxy", "check venue.proxy, and that it lets host and port of venue.baseUrl out"],
  tls: [
    "no secure connection",
    "check this machine's date, and that the host is the one the venue publishes, with no proxy between; pegbot never skips this check",
  ],
  timeout: ["the venue took the request and did not answer in time", TROUBLE],
  "venue-down": ["the venue is in trouble", TROUBLE],
  html: ["a web page answered instead of the venue's API", `${LOOK}: a proxy or a sign-in page?`],
  redirect: ["the venue redirects, and redirects are never followed", "set venue.baseUrl to where it leads"],
  "not-found": ["the venue has no such call", "check venue.baseUrl"],
  "rate-limited": [
    "the venue says that more than one request a second came with this key",
    "find the other program that uses the key on another machine or under another user, and give it a key of its own",
  ],
  unauthorized: ["the venue refuses the signature", "see the check of the signature"],
  "kyb-required": [
    "the key and its signature are right, but the account has not passed the venue's identity check (KYB)",
    "finish KYB in the venue's portal; nothing here can replace it",
  ],
  "agreement-missing": [
    "the key and its signature are right, but the services agreement for this product is not signed",
    "sign the agreement in the venue's portal",
  ],
  forbidden: [
    "this key may not make this call; that does not mean that the key is dead",
    "if you need the call, ask the venue's support for the right to it",
  ],
  "no-nonce": [
    "no nonce could be drawn",
    "when it is ahead of the venue's clock: wait until that time has come, or register a new key; never delete the key's file",
  ],
  "no-venue-time": ["the venue's clock is not known", "see the check of the connection"],
};

/** Why a request to the venue had no good answer. It always repeats the venue's message. */
export function explainFailure(reading: Unread): Explanation {
  if (reading.kind === "dropped")
    return {
      cause: `the request got no slot: ${reading.reason}`,
      next: "the check of the ledger shows who uses the key; if only the bot does, its log names requests that timed out, and the venue or the network is slow",
    };
  const { code, message } = reading.failure;
  const explained = EXPLANATIONS[code];
  if (explained === undefined) return { cause: `${code}: ${message}`, next: TROUBLE };
  const [cause, next] = explained;
  return { cause: `${cause} (${message})`, next };
}

/** A key that is busy for longer is a finding; doctor does not wait for ever. */
const WAIT_MS_MAX = 90_000;

export function wanted(clock: Clock): Want {
  return { class: "other", deadline: mono(clock.monotonic() + WAIT_MS_MAX) };
}

export function lineOf(line: Contact["line"]): Pick<VenueLine, "speaking"> {
  invariant(line !== undefined, "the venue is asked by checks that need it");
  return line;
}
