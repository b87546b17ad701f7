// Bookings as double entry: each is a transaction in which every currency sums to zero, over equity:conversion where one
// becomes another. Written as CSV, a line for each posting, or as hledger's text. Trading is at average cost, fees included.

import type { Booking, Leg } from "../../bot/bookkeeping/bookings.ts";
import type { AssetTotals } from "../../bot/bookkeeping/reconciled.ts";
import type { Asset } from "../../domain/asset.ts";
import { csvCell } from "../../domain/csv-cell.ts";
import { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";

export const FORMATS = ["csv", "hledger"] as const;
export type Format = (typeof FORMATS)[number];
export const UNKNOWN = "unknown";

/** `balance`: of the account after the transaction. */
type Posting = { readonly account: string; readonly amount: Money; readonly balance?: Money };
type Details = Readonly<Record<string, unknown>>;

const POSTED = ["account", "currency", "debit", "credit", "balance"];
/** Of a transaction, in its first line only: sums count it once. */
const IDS = ["transaction", "at", "venue_at", "kind", "id", "venue_id", "trade_id", "pair", "side", "price"];
const FIGURES = [
  ...["fee", "fee_asset", "closed", "cost", "proceeds", "realised", "profit_asset", "unknown_cost_of", "position"],
  ...["position_cost", "value", "fee_value", "realised_value", "value_currency", "by", "note"],
];

function postingsOf({ kind, came, went, fee, trade }: Booking): readonly Posting[] {
  const postings: Posting[] = [];
  const left = new Map<Asset, Money>();
  const post = (group: string, amount: Money, leg?: Leg): void => {
    const { asset } = amount;
    left.set(asset, (left.get(asset) ?? Money.zero(asset)).plus(amount));
    if (!amount.isZero()) postings.push({ account: `${group}:${asset}`, amount, ...(leg && { balance: leg.after }) });
  };
  if (came) post(`assets:${came.place}`, came.amount, came);
  if (went) post(`assets:${went.place}`, went.amount.negated(), went);
  if (fee) post(`assets:${fee.place}`, fee.amount.negated(), fee);
  if (fee && !trade) post("expenses:fees", fee.amount);
  if (trade) {
    const { base, quote, realised = Money.zero(quote.asset) } = trade;
    post("equity:conversion", base.negated());
    post("equity:conversion", realised.minus(quote));
    post("income:trading", realised.negated());
  }
  const open = [...left.values()].filter((amount) => !amount.isZero());
  const paid = kind.startsWith("payment") ? "equity:transfers" : "equity:conversion";
  const other = kind === "opening" || kind === "adoption" ? `equity:${kind}` : paid;
  // What a trade leaves open is a fee in a third asset.
  const contra = kind === "trade" ? "expenses:fees" : open.length > 1 ? "equity:conversion" : other;
  for (const amount of open) post(contra, amount.negated());
  return postings;
}

function detailsOf(booking: Booking, number: string, currency: Asset): Details {
  const { at, venueAt, kind, id, venueId, tradeId, fee, trade, costless, by, note } = booking;
  const { value, feeValue, realisedValue } = booking;
  const hasValue = [value, feeValue, realisedValue].some((one) => one !== undefined);
  const closed = trade?.closed;
  return {
    ...{
      transaction: number,
      at: timeOf(at),
      venue_at: timeOf(venueAt),
      kind,
      id,
      venue_id: venueId,
      trade_id: tradeId,
    },
    ...{ pair: trade?.pair, side: trade?.side, price: trade?.price, fee: fee?.amount, fee_asset: fee?.amount.asset },
    ...{ closed: closed?.amount, proceeds: closed?.proceeds, realised: trade?.realised, unknown_cost_of: costless },
    cost: costless !== undefined && closed === undefined ? UNKNOWN : closed?.cost,
    ...{ profit_asset: trade?.after.realised.asset, position: trade?.after.amount, position_cost: trade?.after.cost },
    ...{ value, fee_value: feeValue, realised_value: realisedValue, value_currency: hasValue ? currency : undefined },
    ...{ by, note },
  };
}

const timeOf = (at: Millis | undefined): string | undefined => at && new Date(at).toISOString();

/** Whose bookings they are is in each transaction: those of paper and shadow are no money. */
export function booksWriter(format: Format, currency: Asset, environment: string, write: (line: string) => void) {
  let [latest, last, count] = [0, 0, 0];
  const lines = format === "csv" ? csvLines : hledgerLines;
  const told = (details: Details, postings: readonly Posting[]): void => {
    for (const line of lines({ ...details, environment }, postings)) write(line);
  };
  write(format === "csv" ? [...IDS, ...POSTED, ...FIGURES, "environment"].join(",") : "decimal-mark .");
  return {
    booked(booking: Booking): void {
      count = booking.sequence === last ? count + 1 : 1;
      last = booking.sequence;
      // A clock that was set back makes no day of before.
      latest = Math.max(latest, booking.at);
      const details = { day: dayOf(latest), ...detailsOf(booking, `${last}.${count}`, currency) };
      told(details, postingsOf(booking));
    },
    /** Asserts what is held at the end. */
    closed(assets: readonly AssetTotals[], to: Millis | undefined): void {
      const at = Math.max(latest, (to ?? 0) - 1) as Millis;
      const postings = assets.flatMap(({ asset, onAccount, inFlight }) => {
        const held = Object.entries({ account: onAccount, "in flight": inFlight });
        return held.map(([place, balance]) => ({
          account: `assets:${place}:${asset}`,
          amount: Money.zero(asset),
          balance,
        }));
      });
      if (postings.length > 0)
        told({ day: dayOf(at), transaction: "closing", at: timeOf(at), kind: "closing" }, postings);
    },
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function csvLines(details: Details, postings: readonly Posting[]): readonly string[] {
  const of = (name: string): string => String(details[name] ?? "");
  return postings.map(({ account, amount, balance }, i) => {
    const isDebit = !amount.isNegative();
    const sum = amount.isZero() ? "" : String(isDebit ? amount : amount.negated());
    const posted = [account, amount.asset, isDebit ? sum : "", isDebit ? "" : sum, String(balance ?? "")];
    const figures = FIGURES.map((name) => (i === 0 ? of(name) : ""));
    return [...IDS.map(of), ...posted, ...figures, of("environment")].map(csvCell).join(",");
  });
}

function hledgerLines(details: Details, postings: readonly Posting[]): readonly string[] {
  // A comma ends a tag, a semicolon begins a comment.
  const text = (value: unknown): string => printable(String(value ?? "")).replace(/[,;|]/g, " ");
  const { day, transaction, kind, side, pair, price, note } = details;
  const narration = [kind, side, pair, price && "at", price, note].filter(Boolean).map(text).join(" ");
  const tags = [...IDS.slice(1), ...FIGURES, "environment"].filter((name) => details[name] !== undefined);
  return [
    "",
    `${day} * (${transaction}) ${narration}`,
    `    ; ${tags.map((name) => `${name}: ${text(details[name])}`).join(", ")}`,
    ...postings.map(({ account, amount, balance }) => {
      const asserted = kind === "closing" ? ` = ${balance} ${commodity(amount.asset)}` : "";
      return `    ${account}  ${amount} ${commodity(amount.asset)}${asserted}`;
    }),
  ];
}

const commodity = (asset: Asset): string => (/\d/.test(asset) ? `"${asset}"` : asset);
