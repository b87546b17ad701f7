// Saved state as text. Only the code that wrote it reads it, so amounts keep their types and are tagged with them.

import { Money, Price, Quantity } from "../domain/money/money.ts";

export function savedText(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, plain) {
    // The value before its own toJSON.
    const amount = this[key];
    if (amount instanceof Money) return { $money: amount.toString(), asset: amount.asset };
    if (amount instanceof Price) return { $price: plain };
    return amount instanceof Quantity ? { $quantity: plain } : plain;
  });
}

/** Throws if the text is not of this form. */
export function loadSaved<T>(text: string): T {
  return JSON.parse(text, (_, value) => {
    if (typeof value?.$money === "string") return Money.of(value.$money, value.asset);
    if (typeof value?.$price === "string") return Price.of(value.$price);
    return typeof value?.$quantity === "string" ? Quantity.of(value.$quantity) : value;
  });
}
