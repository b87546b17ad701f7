// Records as plain JSON data and back: amounts become tagged texts, an undefined field becomes null (the records know no
// null) and keeps its place, so that a loaded record is saved as the same bytes.

import type { Asset } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";

export function toPlain(value: unknown): unknown {
  if (value instanceof Money) return { $money: value.toString(), asset: value.asset };
  if (value instanceof Price) return { $price: value.toString() };
  if (value instanceof Quantity) return { $quantity: value.toString() };
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]));
}

export function fromPlain(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object") return value;
  const fields = value as Record<string, unknown>;
  if (typeof fields.$money === "string") return Money.of(fields.$money, fields.asset as Asset);
  if (typeof fields.$price === "string") return Price.of(fields.$price);
  if (typeof fields.$quantity === "string") return Quantity.of(fields.$quantity);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fromPlain(field)]));
}
