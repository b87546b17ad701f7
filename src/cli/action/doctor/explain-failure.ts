// Why a question to the venue had no good answer, and what to do about it: one row for each failure code that a person
// can do something about. What the venue said is always repeated.

import type { Reading } from "../../../exchange/port.ts";
import type { Explanation } from "./finding.ts";

export type Unread = Exclude<Reading<unknown>, { kind: "read" }>;

const TROUBLE = "try again in a few minutes; if it stays, ask the venue's support";
const LOOK = "check venue.baseUrl and the network between";

/** By our failure code. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  dns: { cause: "the venue's name cannot be resolved", next: "check the host in venue.baseUrl, and the name server" },
  connect: { cause: "no connection to the venue", next: "is it running? check host and port in venue.baseUrl" },
  "connect-timeout": { cause: "the venue does not answer the connection", next: "check firewall and network" },
  "address-refused": {
    cause: "the address is not allowed in this mode",
    next: "paper mode talks to loopback, live mode to public https addresses only: correct mode or venue.baseUrl",
  },
  tls: { cause: "no secure connection", next: LOOK },
  timeout: { cause: "the venue took the request and did not answer in time", next: TROUBLE },
  "venue-down": { cause: "the venue is in trouble", next: TROUBLE },
  html: { cause: "a web page answered instead of the venue's API", next: `${LOOK}: a proxy or a sign-in page?` },
  redirect: {
    cause: "the venue redirects, and redirects are never followed",
    next: "set venue.baseUrl to where it leads",
  },
  "not-found": { cause: "the venue has no such call", next: "check venue.baseUrl" },
  "rate-limited": {
    cause: "the venue says that more than one request a second came with this key",
    next: "find the other program that uses the key on another machine or under another user, and give it a key of its own",
  },
  unauthorized: { cause: "the venue refuses the signature", next: "see the check of the signature" },
  "kyb-required": {
    cause: "the key and its signature are right, but the account has not passed the venue's identity check (KYB)",
    next: "finish KYB in the venue's portal; nothing here can replace it",
  },
  "agreement-missing": {
    cause: "the key and its signature are right, but the services agreement for this product is not signed",
    next: "sign the agreement in the venue's portal",
  },
  forbidden: {
    cause: "this key may not make this call; that does not mean that the key is dead",
    next: "if you need the call, ask the venue's support for the right to it",
  },
  "no-nonce": {
    cause: "no nonce could be drawn",
    next: "when it is ahead of the venue's clock: wait until that time has come, or register a new key; never delete the ledger",
  },
  "no-venue-time": { cause: "the venue's clock is not known", next: "see the check of the connection" },
};

/** What OpenSSL's and the system's codes mean, where they stand in a message of our own transport. */
const NAMED: readonly (readonly [RegExp, Explanation])[] = [
  [
    /CERT_HAS_EXPIRED/,
    { cause: "the venue's certificate has expired", next: "check this machine's date; else tell the venue" },
  ],
  [
    /CERT_NOT_YET_VALID/,
    { cause: "the venue's certificate is not valid yet", next: "check this machine's date; else tell the venue" },
  ],
  [
    /SELF_SIGNED/,
    {
      cause: "the venue's certificate is self-signed, so nobody vouches for it",
      next: "is this the venue, or something in between? pegbot never skips this check",
    },
  ],
  [
    /ALTNAME/,
    { cause: "the venue's certificate is for another name", next: "use the host name that the venue publishes" },
  ],
  [
    /UNABLE_TO_(VERIFY|GET_ISSUER)/,
    {
      cause: "the authority behind the venue's certificate is unknown here",
      next: "is there a proxy that opens TLS? pegbot never skips this check",
    },
  ],
  [/ECONNREFUSED/, { cause: "nothing listens at the venue's address", next: "is it running? check venue.baseUrl" }],
  [
    /ENETUNREACH|EHOSTUNREACH/,
    { cause: "there is no way to the venue's network", next: "check this machine's network" },
  ],
];
const LINK: ReadonlySet<string> = new Set(["tls", "connect"]);

export function explainFailure(reading: Unread): Explanation {
  if (reading.kind === "dropped")
    return {
      cause: `the question had no slot: ${reading.reason}`,
      next: "the check of the ledger says who uses the key; try again when it is free",
    };
  const { code, message } = reading.failure;
  const named = LINK.has(code) ? NAMED.find(([pattern]) => pattern.test(message))?.[1] : undefined;
  const explained = named ?? EXPLANATIONS[code];
  return explained === undefined
    ? { cause: `${code}: ${message}`, next: TROUBLE }
    : { cause: `${explained.cause} (${message})`, next: explained.next };
}

/** Did the venue itself answer, in whatever way? */
export function wasAnswered(reading: Unread): boolean {
  return reading.kind === "failed" && reading.failure.status !== undefined;
}
