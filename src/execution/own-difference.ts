// A difference between venue and books that is, to the last digit, a mint, a payment or an order of ours: one that was given up and
// came after all, whose money the venue gave back, or that is booked as filled and never was; or the last orders together, which
// balances that are behind do not show yet. It stops the bot like any other; but whoever is called reads whose it is.

import type { Asset } from "../domain/asset.ts";
import { hasSettled, type MintIntent, type MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import { quoted } from "../domain/outside-text.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import { utcText } from "../domain/time-text.ts";
import { wordOf } from "../domain/venue-word.ts";
import { feeMaxOf } from "./arrivals.ts";
import { assetsIn, explainsAll, type OpenDoubt, subsetsOf } from "./balance-vote.ts";
import type { Held } from "./held.ts";
import { closingPayment, type MovedPayment, type PaymentFlight } from "./payment-flights.ts";
import type { Payments } from "./payments.ts";
import { reservationOf } from "./reservation.ts";
import { mayBeBefore } from "./shown-gone.ts";
import { fillMovements } from "./totals.ts";
import { coinsInFlight } from "./under-way.ts";

/** A person reads them, and the reason of a stop is cut off. */
const NAMED_MAX = 3;

/** Empty where none is like a mint or a payment of ours. */
export type Likeness = {
  /** To follow the text of the differences. */
  readonly text: string;
  /** Which of them, and in what way. */
  readonly finding: string;
  /** Money of ours that is not to be taken over: what came back of something under way is closed by a person, and what balances that are behind do not show is waited for. */
  readonly backs: readonly CameBack[];
  /** Orders that were given up and that it may be the fill of: who ordered them was told that they had not filled. */
  readonly filled?: readonly string[];
};

export type CameBack = {
  readonly id: string;
  readonly text: string;
  /** What leads out instead of taking over. */
  readonly command: string;
  /** Why it is not to be taken over. */
  readonly refusal: string;
  /** Of which the difference is it. */
  readonly assets: readonly Asset[];
  /** Booked, and not in the balances: it is money of ours where the history shows all of them. */
  readonly fills?: readonly Fill[];
  /** Of a fill: whoever says that it is other money says that the venue has taken it back, of which who ordered it was not told. */
  readonly mayBeUndone?: boolean;
  /** What a stop for it alone is about: the same however much of it is still lacking, and in which assets. */
  readonly subject?: string;
};

/** `fills`: the last that are booked, the latest first. `givenUp`: orders presumed dead, and what they would have moved. */
type Own = {
  readonly moving: Iterable<Held>;
  readonly fills: readonly Held[];
  readonly givenUp: readonly OpenDoubt[];
};

/**
 * `all`: whatever differs, also where it is no reason to stop yet, or is explained by a part of it, as by coins in flight; absent
 * where those are off already. `lateUntil`: when the balances must show what left at that time, as long as they need not yet.
 */
type Differing = {
  readonly differences: readonly Money[];
  readonly all?: readonly Money[] | undefined;
  readonly lateUntil?: LateUntil;
};

type LateUntil = (left: Millis | undefined) => Millis | undefined;

export function ownDifferences(
  { differences, all: whole, lateUntil = () => undefined }: Differing,
  { moving, fills, givenUp }: Own,
  payments: Pick<Payments, "open" | "over" | "told">,
): Likeness {
  const found: Likeness[] = [];
  const all = whole ?? differences;
  const mints = [...moving].filter(({ kind }) => kind === "mint");
  for (const held of mints) for (const one of differences) found.push(...likenessOf(one, held, lateUntil));
  const ways = besideCoins(all, mints);
  // Whoever takes over takes over just what differs.
  found.push(...notShown(ways, fills), ...filledAfterAll(whole === undefined ? [differences] : ways, givenUp));
  found.push(...fromBefore(all, fills, [...departedMints(mints), ...departedPayments(payments)]));
  for (const payment of payments.over()) for (const one of differences) found.push(...afterAll(one, payment));
  for (const payment of payments.open())
    for (const one of differences)
      found.push(...givenBack(one, payment, mayBeBefore(payments.told(payment.id)), lateUntil));
  const named = found.slice(-NAMED_MAX);
  const earlier = found.length - named.length;
  const texts = named.map(({ text }) => `; ${text}`).join("");
  return {
    text: `${texts}${earlier === 0 ? "" : `; ${earlier} earlier ones are like it too`}`,
    finding: named.map(({ finding }) => finding).join(", "),
    backs: found.flatMap(({ backs }) => backs),
    filled: found.flatMap(({ filled = [] }) => filled),
  };
}

function likenessOf(
  difference: Money,
  { id, request, state, movement, bookedAt }: Held,
  lateUntil: LateUntil,
): readonly Likeness[] {
  const { asset, quantity, destination } = request as MintIntent;
  const receipt = "receipt" in state ? (state.receipt as MintRecord) : undefined;
  const entry = receipt === undefined ? "" : ` (request ${receipt.requestId})`;
  const isGivenUp = reservationOf(state) === "freed" || (state.kind === "settled" && state.isGivenBack === true);
  if (isGivenUp)
    return destination === undefined && isSame(difference, quantity.of(asset))
      ? [
          {
            text: `${difference} ${asset} is just what mint ${id}${entry} was to bring, which ${endOf(state)}`,
            finding: `brought by ${id}`,
            backs: [],
          },
        ]
      : [];
  const mint = {
    id,
    coins: quantity.of(asset),
    receipt,
    text: `mint ${id}${entry}`,
    isHere: destination === undefined,
  };
  if (state.kind === "settled") return undoneBy(difference, mint, movement?.status);
  const spent = receipt?.spent;
  if (spent === undefined || !isSame(difference, spent)) return shortBy(difference, mint);
  const gone = {
    command: `pegbot resolve ${id} --not-landed --reason "..."`,
    dueAt: lateUntil(bookedAt),
    isUnseen: mayBeBefore(movement),
  };
  return [backOf(difference, { id, what: `mint ${id}${entry} had cost`, ...gone })];
}

type Brought = {
  readonly id: string;
  readonly coins: Money;
  readonly receipt: MintRecord | undefined;
  readonly text: string;
  /** Onto the account. */
  readonly isHere: boolean;
};

/** So little is missing of what has come that it may be a fee, of which the venue has said nothing. */
function shortBy(difference: Money, { id, coins, receipt, text, isHere }: Brought): readonly Likeness[] {
  if (!isHere || receipt === undefined || !hasSettled(receipt)) return [];
  const isMissing = difference.asset === coins.asset && difference.isNegative();
  if (!isMissing || difference.negated().moreThan(feeMaxOf(coins))) return [];
  const shown = `${difference} ${difference.asset} is missing of the ${coins} ${coins.asset} of ${text}`;
  return [
    { text: `${shown}, which is settled by the list: a fee may be off them`, finding: `short of ${id}`, backs: [] },
  ];
}

/** It was there, and is taken back; `listed`: what the list has called it last. */
function undoneBy(
  difference: Money,
  { id, coins, receipt, text, isHere }: Brought,
  listed: string | undefined,
): readonly Likeness[] {
  const isUndone = listed !== undefined && wordOf(listed) !== "settled";
  const end = isUndone ? settledOnce(listed) : "has settled";
  const shown = `${difference} ${difference.asset} is`;
  if (receipt?.spent !== undefined && isSame(difference, receipt.spent))
    return [{ text: `${shown} just what ${text} had cost, which ${end}`, finding: `cost of ${id}`, backs: [] }];
  const taken = difference.negated();
  if (!isHere || difference.asset !== coins.asset) return [];
  const isWhole = taken.equals(coins);
  // Only where the list says so may it be a little less.
  if (!isWhole && !(isUndone && isLessFee(taken, coins))) return [];
  const how = isWhole ? " just" : ", less a fee,";
  return [{ text: `${shown}${how} what ${text} had brought, which ${end}`, finding: `coins of ${id}`, backs: [] }];
}

export function settledOnce(listed: string): string {
  return `has settled and is listed as ${quoted(listed)} since`;
}

/** Mints of so many coins are tried as counted or not: of each coin one is under way at a time. */
const COUNTED_MAX = 3;

/** Coins in flight are counted by the venue as pending or not at all: what differs as it is, and without those of each set of mints. */
function besideCoins(all: readonly Money[], mints: readonly Held[]): readonly (readonly Money[])[] {
  const open = mints.filter(({ state }) => state.kind !== "settled");
  const flying = all.flatMap(({ asset }) => coinsInFlight(asset, open).map(({ coins }) => coins.negated()));
  return subsetsOf(flying.slice(-COUNTED_MAX)).map((counted) =>
    summed([...all, ...counted]).filter((one) => !one.isZero()),
  );
}

/**
 * Balances that are behind are without the last few. Of an older one alone both legs may be missing as well: it may never have
 * happened. `ways`: what differs, by what else the venue may count.
 */
function notShown(ways: readonly (readonly Money[])[], fills: readonly Held[]): readonly Likeness[] {
  let late: { readonly missing: readonly Money[]; readonly count: number } | undefined;
  let most = 0;
  for (const differences of ways)
    for (let count = 1; count <= fills.length && most < differences.length; count++) {
      const missing = missingOf(fills.slice(0, count));
      const lacking = missing.filter((one) => !one.isZero()).length;
      // Of several pairs the last of one may be all that is missing of it, and not all that is missing.
      if (lacking <= most || !areMissing(missing, differences)) continue;
      late = { missing, count };
      most = lacking;
    }
  if (late !== undefined) return [lateOf(late.missing, fills.slice(0, late.count).toReversed(), WAITED_FOR)];
  const alone = fills.filter((held) => ways.some((differences) => areMissing(missingOf([held]), differences)));
  return alone.map((held) => lateOf(missingOf([held]), [held], takenBack(held)));
}

/** `at`: when it left. */
type Departed = { readonly id: string; readonly spent: Money; readonly at: Millis };

function departedMints(mints: readonly Held[]): readonly Departed[] {
  return mints.flatMap(({ id, state, movement, bookedAt: at }) => {
    const spent = "receipt" in state ? (state.receipt as MintRecord).spent : undefined;
    return movement?.stage === "departed" && spent !== undefined && at !== undefined ? [{ id, spent, at }] : [];
  });
}

function departedPayments(payments: Pick<Payments, "open">): readonly Departed[] {
  const gone = payments.open().filter(({ spent }) => !spent.isZero());
  return gone.map(({ id, spent, since: at }) => ({ id, spent, at }));
}

/** So many fills from before it left are tried: balances may be behind by some more than by itself. */
const EARLIER_MAX = 20;

/** Balances from before a mint or a payment left are also without what filled since: no part of what differs is just what it took. */
function fromBefore(
  differences: readonly Money[],
  fills: readonly Held[],
  departed: readonly Departed[],
): readonly Likeness[] {
  for (const { at } of departed) {
    const left = departed.filter((one) => one.at >= at);
    const since = fills.filter(({ bookedAt = 0 }) => bookedAt >= at).length;
    for (let count = since; count <= Math.min(fills.length, since + EARLIER_MAX); count++) {
      const late = fills.slice(0, count);
      const missing = summed([...left.map(({ spent }) => spent), ...missingOf(late)]);
      // One alone is told by its amount.
      if (left.length + count > 1 && areMissing(missing, differences)) return [beforeOf(missing, left, late)];
    }
  }
  return [];
}

function beforeOf(missing: readonly Money[], left: readonly Departed[], fills: readonly Held[]): Likeness {
  const [first] = left as readonly [Departed];
  const lacking = missing.filter((one) => !one.isZero());
  const amounts = lacking.map((one) => `${one} ${one.asset}`).join(", ");
  const orders =
    fills.length === 0 ? "" : ` and of the last ${fills.length === 1 ? "order" : `${fills.length} orders`}`;
  const text = `${amounts} is just what the books have of ${left.map(({ id }) => id).join(", ")}${orders}`;
  const refusal = `the balances may be from before ${first.id} left: ${UNTIL_ALL_SHOWN}`;
  const finding = `cost of ${first.id}`;
  // With what filled since, or without it while that may be late: it is one stop.
  const assets = lacking.map(({ asset }) => asset);
  const back = { id: first.id, text, command: UNTIL_ALL_SHOWN, refusal, assets, subject: finding };
  return { text: `${text}, and ${refusal}`, finding, backs: [back] };
}

/**
 * Each that is in a set of them which would have moved just that, if it had filled: the history may never show it. A purchase and a sale
 * of as much move nothing together: that nothing differs says nothing of them, and what a part of a set explains nothing of the rest.
 * `ways`: what differs, by what else the venue may count.
 */
function filledAfterAll(ways: readonly (readonly Money[])[], givenUp: readonly OpenDoubt[]): readonly Likeness[] {
  const all = ways.flatMap((differences) => setsThatMoved(differences, givenUp));
  const isPart = (one: readonly OpenDoubt[], whole: readonly OpenDoubt[]): boolean =>
    one.length < whole.length && one.every((each) => whole.includes(each));
  const least = all.filter(({ some }) => !all.some((one) => isPart(one.some, some)));
  return givenUp.flatMap((order) => {
    const { id, movements } = order;
    const within = least.find(({ some }) => some.includes(order));
    if (within === undefined) return [];
    const amounts = movements.map(({ least: { asset } }) => `${changeOf(within.differences, asset)} ${asset}`);
    const text = `${amounts.join(", ")} is what order ${id} may have moved, which was closed as not filled`;
    return [{ text, finding: `filled ${id}`, backs: [], filled: [id] }];
  });
}

/** `some`: orders that together would have moved just these differences. */
type MovedBy = { readonly some: readonly OpenDoubt[]; readonly differences: readonly Money[] };

function setsThatMoved(differences: readonly Money[], givenUp: readonly OpenDoubt[]): readonly MovedBy[] {
  const sets = subsetsOf(givenUp).filter((some) => {
    const changes = [...assetsIn(some)].map((asset) => changeOf(differences, asset));
    return changes.some((change) => !change.isZero()) && explainsAll(some, changes);
  });
  return sets.map((some) => ({ some, differences }));
}

function changeOf(differences: readonly Money[], asset: Asset): Money {
  return differences.find((one) => one.asset === asset) ?? Money.zero(asset);
}

type WayOut = Pick<CameBack, "command" | "refusal" | "mayBeUndone">;

const WAIT =
  "wait until the balances show it (then pegbot status calls nothing frozen), and ask the venue if they do not (adopt only what never filled)";
const WAITED_FOR: WayOut = {
  command: WAIT,
  refusal: `the venue's history shows what filled, so its balances are behind, and taken over it would differ again when they are not: ${WAIT}`,
};

/** Whoever shows later ones is not behind: to wait for it may be to wait for ever. */
function takenBack({ id }: Held): WayOut {
  const command = `ask the venue whether it has taken ${id} back (then pegbot adopt --beside ${id})`;
  const refusal = `the venue's history shows that it filled, and its balances show later ones: ${command}`;
  return { command, refusal, mayBeUndone: true };
}

/** What would differ without them, by asset. */
function missingOf(fills: readonly Held[]): readonly Money[] {
  return summed(
    fills.flatMap(({ request, state }) =>
      fillMovements(request as OrderIntent, receiptOf(state)).map(({ least }) => least.negated()),
    ),
  );
}

function summed(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<Asset, Money>();
  for (const one of amounts) sums.set(one.asset, sums.get(one.asset)?.plus(one) ?? one);
  return [...sums.values()];
}

/** Where nothing is missing, nothing may differ. */
function areMissing(missing: readonly Money[], differences: readonly Money[]): boolean {
  return missing.every((one) => {
    const difference = differences.find(({ asset }) => asset === one.asset);
    return difference === undefined ? one.isZero() : one.equals(difference);
  });
}

function lateOf(missing: readonly Money[], fills: readonly Held[], wayOut: WayOut): Likeness {
  const lacking = missing.filter((one) => !one.isZero());
  const amounts = lacking.map((one) => `${one} ${one.asset}`);
  const ids = fills.map(({ id }) => id);
  const first = ids[0] as string;
  const whose = ids.length === 1 ? `order ${first}` : `the last ${ids.length} orders, from ${first} to ${ids.at(-1)}`;
  const text = `${amounts.join(", ")} is just what the books have of ${whose}, and the balances do not show it`;
  const back = {
    id: first,
    text,
    ...wayOut,
    assets: lacking.map(({ asset }) => asset),
    fills: fills.map(({ state }) => receiptOf(state)),
    // Balances that come up to date show one more at a time, of one pair and of another: all of it is one stop.
    subject: `fills up to ${ids.at(-1)}`,
  };
  return { text, finding: `fill of ${ids.at(-1)}`, backs: [back] };
}

function receiptOf(state: Held["state"]): Fill {
  return ("receipt" in state ? state.receipt : undefined) as Fill;
}

const UNTIL_SHOWN = "wait until the balances show that it left (then pegbot status calls nothing frozen)";

const UNTIL_ALL_SHOWN =
  "wait until they show all of it (then pegbot status calls nothing frozen), and ask the venue if they do not";

/** `dueAt`: until then balances that are behind look as if it were back. `isUnseen`: those that never showed that it left may be behind for longer. */
type Gone = {
  readonly id: string;
  readonly what: string;
  readonly command: string;
  readonly dueAt: Millis | undefined;
  readonly isUnseen: boolean;
};

function backOf(difference: Money, { id, what, command, dueAt, isUnseen }: Gone): Likeness {
  const text = `${difference} ${difference.asset} is just what ${what}`;
  if (dueAt !== undefined) {
    const wait = `the balances have until ${utcText(dueAt)} to show that it left: pegbot adopt again then`;
    const back = { id, text, command: wait, refusal: wait, assets: [difference.asset] };
    return { text: `${text}, and ${wait}`, finding: `cost of ${id}`, backs: [back] };
  }
  if (isUnseen) {
    const wait = `${UNTIL_SHOWN}; if the venue confirms in writing that it gave it back: ${command} --venue-confirms`;
    const refusal = `the balances never showed that it left, and may be behind: ${wait}`;
    const finding = `cost of ${id}`;
    const back = { id, text, command: wait, refusal, assets: [difference.asset], subject: finding };
    return { text: `${text}, and ${refusal}`, finding, backs: [back] };
  }
  const refusal = `taken over it would be in the books twice; if the venue gave it back: ${command}, and nothing of it is left to take over`;
  return {
    text: `${text}: if the venue gave it back, ${command} instead of adopt`,
    finding: `cost of ${id}`,
    backs: [{ id, text, command, refusal, assets: [difference.asset] }],
  };
}

function givenBack(
  difference: Money,
  { id, spent, since }: PaymentFlight,
  isUnseen: boolean,
  lateUntil: LateUntil,
): readonly Likeness[] {
  if (spent.isZero() || !isSame(difference, spent)) return [];
  const gone = { command: closingPayment(id), dueAt: lateUntil(since), isUnseen };
  return [backOf(difference, { id, what: `${id} had taken`, ...gone })];
}

/** It is over by a person's word, by the list or by an adoption, or nobody knows what its word means, and its money moves all the same. */
function afterAll(difference: Money, { id, change, what }: MovedPayment): readonly Likeness[] {
  if (difference.asset !== change.asset) return [];
  const isWhole = difference.equals(change);
  if (!isWhole && !isLessFee(difference, change)) return [];
  const text = `${difference} ${difference.asset} is${isWhole ? " just" : ", less a fee,"} what ${id} ${what}`;
  return [{ text, finding: `moved by ${id}`, backs: [] }];
}

/** Off what comes a fee may be taken. */
function isLessFee(difference: Money, change: Money): boolean {
  return !change.isNegative() && difference.lessThan(change) && difference.atLeast(change.minus(feeMaxOf(change)));
}

function endOf({ kind }: Held["state"]): string {
  if (kind === "rejected") return "the venue had refused";
  return kind === "not-sent" ? "was never sent" : "was closed as not landed";
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}
