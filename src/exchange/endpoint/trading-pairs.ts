// /client/tradingPairs: the tradable symbols with their grids. Where the list leaves a field out, the configuration's
// declaration of the instrument fills it; where the two differ, the pair is left out and both are named.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import {
  addProblem,
  agreed,
  amount,
  bySymbol,
  type Decoder,
  flag,
  integer,
  mapped,
  optional,
  quantity,
  record,
  rows,
  Unreadable,
} from "../wire/decoder.ts";
import { JsonObject } from "../wire/json.ts";
import { namedPair, pairFields, type ReadEndpoint, type RowRules, statusIn } from "./endpoint.ts";

const decimals = integer(18);

/** Decimals stated as the smallest step: 0.0001, or 1. */
const step: Decoder<number> = (json, problems) => {
  const match = /^(?:1|0?\.(0*)1)0*$/.exec(amount(json, problems));
  if (match === null) throw new Unreadable("must be a power of ten up to 1");
  return match[0].includes(".") ? (match[1]?.length ?? 0) + 1 : 0;
};

const row = (rules: PairRules) =>
  record({
    ...pairFields,
    status: [optional(statusIn(rules, "pair")), "status", "state"],
    isActive: [optional(flag), "active", "is_active", "enabled", "is_enabled", "tradable"],
    quantityMin: [optional(quantity), "min_order_size", "min_order_qty", "min_quantity", "min_qty"],
    quantityDecimals: [optional(decimals), "qty_decimals", "quantity_decimals", "qty_precision", "quantity_precision"],
    priceDecimals: [optional(decimals), "price_decimals", "price_precision"],
    quantityStep: [optional(step), "step_size", "lot_size", "qty_step", "qty_increment"],
    priceStep: [optional(step), "tick_size", "price_step", "price_increment"],
  });

type Grid = Pick<Instrument, "quantityMin" | "quantityDecimals" | "priceDecimals">;
type Stated = { readonly [K in keyof Grid]?: Grid[K] | undefined };

/** What the configuration says of pairs. */
export type DeclaredInstruments = Readonly<Record<string, Stated>>;

export type PairRules = Pick<RowRules, "pairStatusMissing" | "statuses"> & {
  readonly declared: DeclaredInstruments;
  /** For pairs whose price decimals neither the venue nor the configuration states. */
  readonly priceDecimals: number;
};

const NAMES = ["pairs", "tradingpairs", "symbols", "instruments"] as const;

export function tradingPairs(rules: PairRules): ReadEndpoint<readonly Instrument[]> {
  const fields = row(rules);
  const instrument = mapped(fields, ({ isActive, quantityMin, quantityStep, priceStep, ...entry }): Instrument => {
    const symbol = namedPair(entry);
    const quantityDecimals = agreed(entry.quantityDecimals, quantityStep, "qty_decimals");
    const priceDecimals = agreed(entry.priceDecimals, priceStep, "price_decimals");
    const status = isActive === false ? "inactive" : (entry.status ?? (isActive && "online"));
    if (status === undefined && rules.pairStatusMissing === "none" && rules.declared[symbol] === undefined) {
      const error = new Unreadable(
        `${symbol} must have a status; if every pair that this venue lists is tradable, set venue.profile.pairStatusMissing: online`,
      ).lacks("status");
      error.lines = ["profile: { pairStatusMissing: online }"];
      throw error;
    }
    const grid = gridOf(symbol, { quantityMin, quantityDecimals, priceDecimals }, rules);
    return { symbol, ...assetsOf(symbol), status: status ?? "online", ...grid };
  });
  /** A pair may be listed by its name alone. */
  const named: Decoder<Instrument> = (json, problems) =>
    instrument(typeof json === "string" ? new JsonObject(["symbol"], [json]) : json, problems);
  const pairs = bySymbol(rows(named, fields.slots, ...NAMES), ...NAMES);
  const answer: Decoder<readonly Instrument[]> = (json, problems) => {
    const rows = pairs(json, problems);
    for (const symbol of Object.keys(rules.declared))
      if (!rows.some((one) => one.symbol === symbol) && problems.length === 0)
        addProblem(problems, `${symbol} of venue.instruments is not listed`);
    return rows;
  };
  return { path: "/client/tradingPairs", fields: {}, answer, slots: fields.slots };
}

function gridOf(symbol: PairSymbol, listed: Stated, { declared, priceDecimals }: PairRules): Grid {
  const filled = <K extends keyof Grid>(field: K): Stated[K] => {
    const is: Stated[K] = listed[field];
    const says: Stated[K] = declared[symbol]?.[field];
    if (is !== undefined && says !== undefined && String(is) !== String(says))
      throw new Unreadable(`${symbol} has ${field} ${is}, venue.instruments says ${says}: correct or remove it there`);
    return is ?? says;
  };
  const [quantityMin, quantityDecimals] = [filled("quantityMin"), filled("quantityDecimals")];
  if (quantityMin === undefined || quantityDecimals === undefined) {
    const missing = quantityMin === undefined ? "min_order_size" : "qty_decimals";
    const error = new Unreadable(`${symbol} must have ${missing}; declare it in venue.instruments`).lacks(missing);
    const grid = `quantityMin: ${quantityMin ?? "SMALLEST"}, quantityDecimals: ${quantityDecimals ?? "DECIMALS"}`;
    error.lines = [`instruments: { ${symbol}: { ${grid} } }`];
    throw error;
  }
  return { quantityMin, quantityDecimals, priceDecimals: filled("priceDecimals") ?? priceDecimals };
}

/** The declared pairs, for a venue whose list cannot be had: those that are complete. */
export function declaredPairs({ declared, ...rules }: PairRules): readonly Instrument[] {
  return Object.entries(declared)
    .filter(([, { quantityMin, quantityDecimals }]) => quantityMin !== undefined && quantityDecimals !== undefined)
    .map(([name]) => {
      const symbol = name as PairSymbol;
      return { symbol, ...assetsOf(symbol), status: "online", ...gridOf(symbol, {}, { declared, ...rules }) };
    });
}
