import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";
import { freesAtTheFirstLook, recordsAfterTheAnswer, resendsOnDoubt, takesDoubtForRejection } from "./weakness.ts";
import type { Weakness } from "./world.ts";

/** PEGBOT_SEED repeats one; PEGBOT_SIMULATIONS runs more of them. */
const first = Number(process.env.PEGBOT_SEED ?? 1);
const count = Number(process.env.PEGBOT_SIMULATIONS ?? 2);
const seeds = Array.from({ length: count }, (_, i) => first + i);

test.each(seeds)(
  "killed at any write, with answers lost and late: all is settled and booked once, seed %i",
  async (seed) => {
    const { violations, kills, fills, doubtsFilled, doubtsDead } = await runCampaign({ seed });
    process.stdout.write(
      `simulated campaign ${seed}: ${kills} kills, ${fills} fills, doubts: ${doubtsFilled} filled, ${doubtsDead} dead\n`,
    );
    expect(violations).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(3);
    expect(fills).toBeGreaterThanOrEqual(30);
    expect(doubtsFilled + doubtsDead).toBeGreaterThanOrEqual(3);
  },
);

const WEAKNESSES: readonly (readonly [string, Weakness, RegExp])[] = [
  ["sends an order again that was not answered", resendsOnDoubt, /sent twice|sent without a record/],
  ["takes a doubt for a rejection", takesDoubtForRejection, /given up|lost/],
  ["frees an order at the first look that does not show it", freesAtTheFirstLook, /given up|lost/],
  ["records the sending of an order after its answer", recordsAfterTheAnswer, /without a record|given up|lost/],
];

test.each(WEAKNESSES)("the campaign notices a bot that %s", async (_name, weakness, sign) => {
  let noticed: string | undefined;
  for (let seed = 1; seed <= 5 && noticed === undefined; seed++) {
    const { violations } = await runCampaign({ seed, weakness, stormMs: 600_000 });
    noticed = violations.find((violation) => sign.test(violation));
  }
  expect(noticed).toBeDefined();
});
