// Profit and costs of a run, exactly: holdings at exact rates, rounded down; fees rounded up.

import type { Asset } from "../../src/domain/asset.ts";
import { Money, Price } from "../../src/domain/money/money.ts";
import type { Books, Holding, RunRecord, Settlement } from "../record/run-record.ts";
import { combined, type Figure, known, notAvailable } from "./figure.ts";
import { feeWorth, fillMoney } from "./fills.ts";

/**
 * Profit of the run, exactly: equity at the end less equity at the start less deposits. The start is when the books
 * open, at the first marks available for all holdings.
 * Formula: equity at the end - sum(opening amount * opening mark) - value of what was adopted
 */
export function netProfit({ books, settings: { currency } }: RunRecord): Figure<Money> {
  return combined(
    [closingWorth(books, currency), openingWorth(books, currency), adoptedWorth(books, currency)],
    (closing, opening, adopted) => known(closing.minus(opening).minus(adopted)),
  );
}

/**
 * Profit of trading over doing nothing, exactly: rate changes that would have affected the opening inventory anyway are
 * left out.
 * Formula: equity at the end - sum((opening + adopted amount) * closing mark)
 */
export function profitOverHolding({ books, settings: { currency } }: RunRecord): Figure<Money> {
  return combined([closingWorth(books, currency), untradedWorth(books, currency)], (closing, untraded) =>
    known(closing.minus(untraded)),
  );
}

function bookWorth(holdings: readonly Holding[], currency: Asset): Figure<Money> {
  let total = Money.zero(currency);
  for (const { asset, amount, rate } of holdings) {
    const held = Money.of(amount, asset);
    if (held.isZero()) continue;
    if (rate === undefined) return notAvailable(`${asset} has no rate in ${currency}`);
    total = total.plus(held.valued(Price.of(rate), currency, "down"));
  }
  return known(total);
}

function closingWorth({ closing, equity }: Books, currency: Asset): Figure<Money> {
  return equity === undefined ? bookWorth(closing, currency) : known(Money.of(equity, currency));
}

function openingWorth({ opening }: Books, currency: Asset): Figure<Money> {
  return opening === undefined ? NEVER_OPENED : bookWorth(opening, currency);
}

const NEVER_OPENED = notAvailable(
  "the books never opened: in this time the bot did not come to know what it holds and what all of it is worth",
);

/** Net value of deposits and withdrawals. */
function adoptedWorth(books: Books, currency: Asset): Figure<Money> {
  let total = Money.zero(currency);
  for (const { value } of books.adopted) {
    if (value === undefined) return notAvailable("something was adopted that had no rate");
    total = total.plus(Money.of(value, currency));
  }
  return known(total);
}

/** The opening amounts and later deposits, at closing rates. */
function untradedWorth({ opening, closing, adopted }: Books, currency: Asset): Figure<Money> {
  if (opening === undefined) return NEVER_OPENED;
  const amounts = new Map<Asset, Money>();
  const add = (asset: Asset, amount: string): void => {
    amounts.set(asset, (amounts.get(asset) ?? Money.zero(asset)).plus(Money.of(amount, asset)));
  };
  for (const { asset, amount } of opening) add(asset, amount);
  for (const one of adopted) for (const { asset, amount } of one.amounts) add(asset, amount);
  const rates = new Map(closing.map(({ asset, rate }) => [asset, rate]));
  const held = [...amounts].map(([asset, amount]) => ({ asset, amount: amount.toString(), rate: rates.get(asset) }));
  return bookWorth(held, currency);
}

export type ProfitParts = {
  readonly realised: Money;
  readonly unrealised: Money;
  readonly fx: Money;
  readonly markDiscount: Money;
  /** Of mints and rails, negative: those of trades are in the result of trading. */
  readonly fees: Money;
  readonly rest: Money;
};

/**
 * The net profit by what made it, as the bot states its account: results of trades closed and open, currency rates at par,
 * and the change of the discount from par at which the opening coins are marked. The rest is what rates did before
 * the books opened.
 * Formula: net profit = realised + unrealised + FX + sum of opening coins * ((par - mark) at the start - (par - mark) at the end) - fees of mints and rails + rest
 */
export function profitParts(record: RunRecord): Figure<ProfitParts> {
  const { books, statement, settings } = record;
  const { realised, unrealised, fx, mintFees, railFees } = statement ?? {};
  if (realised === undefined || unrealised === undefined || fx === undefined || !mintFees || !railFees)
    return notAvailable("no bot was here to state its account, or something in it had no rate");
  return combined([netProfit(record), markDiscount(books, settings.currency)], (net, discount) => {
    const fees = mintFees.plus(railFees).negated();
    const parts = [realised, unrealised, fx, discount, fees];
    const rest = net.minus(Money.sum(parts, settings.currency));
    return known({ realised, unrealised, fx, markDiscount: discount, fees, rest });
  });
}

function markDiscount({ opening, closing }: Books, currency: Asset): Figure<Money> {
  let total = Money.zero(currency);
  for (const { asset, amount, rate, par } of opening ?? []) {
    const end = closing.find((one) => one.asset === asset);
    const prices = [par, rate, end?.rate, end?.par];
    if (prices.includes(undefined)) return notAvailable(`${asset} has no par or no mark in ${currency}`);
    const held = Money.of(amount, asset);
    const [first, mark, last, lastPar] = prices.map((price) =>
      held.valued(Price.of(price as string), currency, "down"),
    );
    total = total.plus((first as Money).minus(mark as Money)).plus((last as Money).minus(lastPar as Money));
  }
  return known(total);
}

export type Fees = {
  readonly trade: Money;
  /** Undefined where the run has no treasury. */
  readonly mint: Money | undefined;
  readonly rail: Money | undefined;
  readonly total: Money;
};

/**
 * Costs paid within the run, exactly, by kind: for trades, for mints and for rails, including fees deducted on arrival
 * and excluding returned ones.
 * Formula: sum of fee * rate for each kind, rounded up
 */
export function fees(record: RunRecord): Figure<Fees> {
  const { currency } = record.settings;
  const ofKind = (isMint: boolean) => settlementFees(record, (kind) => (kind === "mint") === isMint);
  return combined([tradeFees(record), ofKind(true), ofKind(false)], (trade, mint, rail) => {
    const total = Money.sum([trade, ...(mint ? [mint] : []), ...(rail ? [rail] : [])], currency);
    return known({ trade, mint, rail, total });
  });
}

function tradeFees({ fills, settings: { currency } }: RunRecord): Figure<Money> {
  let total = Money.zero(currency);
  for (const money of fillMoney(fills)) {
    const worth = feeWorth(money, currency);
    if (worth === undefined) return notAvailable(`a fee in ${money.fee.asset} has no rate in ${currency}`);
    total = total.plus(worth);
  }
  return known(total);
}

function settlementFees(
  { settlements, settings: { currency, from, to } }: RunRecord,
  counts: (kind: Settlement["kind"]) => boolean,
): Figure<Money | undefined> {
  if (settlements === undefined) return known(undefined);
  let total = Money.zero(currency);
  const paid = settlements.flatMap(({ kind, fees }) => (counts(kind) ? fees : []));
  for (const { at, amount, asset, rate } of paid) {
    // A settlement in transit at the start was paid for before the run.
    if (at < from || at > to) continue;
    if (rate === undefined) return notAvailable(`a fee in ${asset} has no rate in ${currency}`);
    total = total.plus(Money.of(amount, asset).valued(Price.of(rate), currency, "up"));
  }
  return known(total);
}
