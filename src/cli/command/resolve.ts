// `resolve`: a person closes a request that evidence did not decide, through the owner of the key.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { ResolveInput } from "../../operation/resolve.ts";
import { asking } from "../asking.ts";

type ResolveOptions = Omit<ResolveInput, "id" | "as" | "reason"> & {
  readonly filled?: boolean;
  readonly notFilled?: boolean;
  readonly landed?: boolean;
  readonly notLanded?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export function defineResolve(command: Command, run: Run): void {
  command
    .argument("<id>", "as status shows it")
    .option("--filled", "it happened: the fill is taken from the venue's trades, or from the amounts below")
    .option("--not-filled", "it did not happen, or is listed as what its fill cannot be: adopt then takes that over")
    .option("--landed", "a mint, rail or payment: it happened, by the venue's list or by the id below")
    .option("--not-landed", "a mint, rail or payment: it did not happen, or was given back")
    .option("--venue-confirms", "the venue has confirmed it in writing, though its balances do not show it")
    .option("--venue-id <id>", "the venue's own id of the mint request or the rail")
    .option("--spent <amount>", 'what a mint took, fee included: "120120 CHF"')
    .option("--reason <text>", "how this is known, for the journal")
    .option("--bought <amount>", 'what it brought, as the portal shows it: "100 VCHF"')
    .option("--sold <amount>", 'what it took: "99.98 CHF"')
    .option("--fee <amount>", 'what it cost: "0.02 CHF"')
    .option("--order-id <id>", "the venue's own order id")
    .option("--yes", "confirm without a terminal")
    .action((id: string, options: ResolveOptions) => {
      const { filled, notFilled, landed, notLanded, yes, json: _, ...known } = options;
      const given = { filled, "not-filled": notFilled, landed, "not-landed": notLanded };
      const [as, ...more] = Object.entries(given).flatMap(([end, isGiven]) => (isGiven === true ? [end] : []));
      if (as === undefined || more.length > 0)
        throw usageFailure("one of --filled, --not-filled, --landed and --not-landed is needed");
      return asking(run, { name: "resolve", input: { id, as, ...known }, needsReason: true }, { yes });
    });
}
