// Keys of the configuration that went, and what replaces them.

const FROZEN = "a second source and risk.referenceSpreadBpsMax: a price that stands still disagrees";
const LEAPS = "market.bands, and a second source within risk.referenceSpreadBpsMax (docs/concepts/fair-value.md)";
const SHAPES = "lists keys orderIds tradeIds tradeAmounts statusCase answerNumbers times quoteLevels symbolForm".split(
  " ",
);
const READ = "nothing: answers are read in every one of these forms";

/** By dotted path, list places left out. */
const WENT: Record<string, string> = {
  "market.frozenMsMax": FROZEN,
  "market.references.frozenMsMax": FROZEN,
  "market.leapBps": LEAPS,
  "market.holdMs": LEAPS,
  "venue.profile.tradeRounding": "nothing: quantity x price confirms an answer within a unit of its last digit",
  "treasury.approvals.people.publicKey": "leave it out; two people are two names, over the API a token of each name",
  "treasury.mint.haircutBps": "leave it out: no sum takes a haircut off what is in flight",
  "treasury.mint.heldHaircutBps": "leave it out: no sum takes a haircut off what is in flight",
  "venue.allowPrivateAddress": "leave it out: live mode goes where the certificate is right (venue.authority)",
  "server.exposed":
    "server.reads: token, on a loopback address too; another server.host needs server.tls and server.names",
  "notices.email": "let Alertmanager send e-mail (ops/alertmanager.yml)",
  "notices.templates": "leave it out: a message has the words of pegbot status and the page",
  "notices.summaryAt": "pegbot status and the page show the day; a daily message is a cron line with pegbot status",
};
for (const name of SHAPES) WENT[`venue.profile.${name}`] = READ;

export const GONE: Readonly<Record<string, string>> = WENT;
