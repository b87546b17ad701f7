// The account as the venue has it now: every history, and the balances last, so that whatever the histories show is in them.

import type { Asset } from "../../domain/asset.ts";
import { comparisonAsks } from "../../execution/adjustment.ts";
import type { Answer } from "../../execution/effects.ts";
import type { Tool } from "./tool.ts";

/** `seePrices`: before a payment on a rail of ours is booked by its value; books that are not open have no rails. */
export async function seeAccount(tool: Tool, seePrices?: () => Promise<void>): Promise<readonly Answer[]> {
  const instruments = await tool.read("pairs", tool.exchange.pairs({ class: "other" }));
  const mintable = new Set<Asset>();
  for (const { base, quote } of instruments) if (base === `V${quote}`) mintable.add(base);
  const answers: Answer[] = [];
  for (const question of comparisonAsks([...mintable], tool.desk.executor.treasury.hasRails)) {
    // What others recorded until now is in the books; what comes later ends the command.
    await tool.take({ kind: "news" });
    const answer = await tool.ask(question);
    // Booked as what they are: taken over as a difference they would be booked again when the bot sees them.
    if (answer.witness === "payments") {
      if (answer.rows.length > 0) await seePrices?.();
      await tool.take({ kind: "answer", answer });
    }
    answers.push(answer);
  }
  return answers;
}
