// The recommended protocol and its weak relatives: each is one switch of the model's client or venue around the real
// transition function.

export type Property =
  | "filled twice"
  | "booked twice"
  | "freed twice"
  | "booked without a fill"
  | "counted as done without a booking"
  | "untracked after a crash"
  | "freed while live or filled";

export type Variant = {
  readonly crashes: number;
  readonly queries: number;
  /** One is the hardest case: what holds with it holds with more, and more need more questions. */
  readonly negatives: number;
  readonly timeoutMeans: "doubt" | "rejected";
  readonly unauthorizedMeans: "doubt" | "rejected";
  readonly resends: "never" | "fresh nonce" | "same bytes";
  readonly journals: "before sending" | "after the answer";
  readonly fencesWith: "the same key" | "a second key";
  readonly releases: "by the full rule" | "at the first not-found";
  readonly abandonedAnswers: "thrown away" | "taken for the current one";
  readonly publication: "within the window" | "whenever";
  readonly nonceCheck: "strict" | "window" | "racy";
};

const RECOMMENDED: Variant = {
  crashes: 1,
  queries: 3,
  negatives: 1,
  timeoutMeans: "doubt",
  unauthorizedMeans: "doubt",
  resends: "never",
  journals: "before sending",
  fencesWith: "the same key",
  releases: "by the full rule",
  abandonedAnswers: "thrown away",
  publication: "within the window",
  nonceCheck: "strict",
};

export const SOUND: readonly (readonly [name: string, variant: Variant])[] = [
  ["A recommended", RECOMMENDED],
  ["A2 recommended, two crashes, four queries", { ...RECOMMENDED, crashes: 2, queries: 4 }],
  ["A3 recommended, three negatives, six queries", { ...RECOMMENDED, negatives: 3, queries: 6 }],
  ["I same bytes resent, 401 is doubt", { ...RECOMMENDED, resends: "same bytes" }],
];

export const WEAK: readonly (readonly [name: string, breaks: Property, change: Partial<Variant>])[] = [
  ["B a time-out is a failure", "freed while live or filled", { timeoutMeans: "rejected" }],
  ["C released at the first not-found", "freed while live or filled", { releases: "at the first not-found" }],
  ["D resent with a fresh nonce", "filled twice", { resends: "fresh nonce" }],
  ["E journaled after the answer", "untracked after a crash", { journals: "after the answer" }],
  ["F fenced with a second key", "freed while live or filled", { fencesWith: "a second key" }],
  ["G publication later than the window", "freed while live or filled", { publication: "whenever" }],
  ["H a nonce window at the venue", "freed while live or filled", { nonceCheck: "window" }],
  [
    "J same bytes resent, 401 is a rejection",
    "freed while live or filled",
    { resends: "same bytes", unauthorizedMeans: "rejected" },
  ],
  ["K same bytes resent, racy nonce check", "filled twice", { resends: "same bytes", nonceCheck: "racy" }],
  [
    "L the answer of an abandoned query counts",
    "freed while live or filled",
    { abandonedAnswers: "taken for the current one" },
  ],
];

export function weakened(change: Partial<Variant>): Variant {
  return { ...RECOMMENDED, ...change };
}
