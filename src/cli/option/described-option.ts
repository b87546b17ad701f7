// An option in the help: its default stands there as a person would type it, so that it can be copied.

import { Help, type Option } from "commander";
import { durationFlag } from "./data-options.ts";

const plain = new Help();

export function describedOption(option: Option): string {
  const { description, defaultValue } = option;
  const shown = typedDefault(option);
  if (shown === undefined) return plain.optionDescription(option);
  // Nothing, or none: the words say so already.
  if (defaultValue === 0 || shown === "") return description;
  return `${description} (default: ${shown})`;
}

/** Undefined where commander's own words are right. */
function typedDefault({ flags, defaultValue }: Option): string | undefined {
  if (Array.isArray(defaultValue)) return defaultValue.join(",");
  if (typeof defaultValue !== "number") return undefined;
  if (flags.endsWith("<time>")) return durationFlag(defaultValue);
  return flags.endsWith("<date>") ? new Date(defaultValue).toISOString().slice(0, 10) : undefined;
}
