// `rails --acknowledge`: a person has reviewed why rails are frozen, and releases them.

import type { Run } from "../../app/shell.ts";
import { asking } from "../asking.ts";

export type AcknowledgeOptions = { readonly reason?: string; readonly yes?: boolean };

export function acknowledge(run: Run, { reason, yes }: AcknowledgeOptions): Promise<void> {
  return asking(run, { name: "acknowledge", input: { reason }, needsReason: true }, { yes });
}
