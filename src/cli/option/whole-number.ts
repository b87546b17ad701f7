// A command-line value that is a whole number within limits.

import { InvalidArgumentError } from "commander";

/** `otherwise`: what takes more than that. */
export function wholeNumber(low: number, high: number, otherwise?: string): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= low && value <= high))
      throw new InvalidArgumentError(
        `must be a whole number from ${low} to ${high}${otherwise === undefined ? "" : `; ${otherwise}`}`,
      );
    return value;
  };
}
