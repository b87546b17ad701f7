// A journal that cannot be written, or was damaged: no order leaves, and what is said tells what to do. Real processes, counted
// at the venue.

import { existsSync, renameSync, statSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type BotStage, botStage, eventually } from "./bot-stage.ts";

async function trades(stage: BotStage): Promise<void> {
  const before = await stage.orders();
  await eventually(async () => (await stage.orders()) > before, "an order");
}

describe("a journal that was cut", () => {
  test("is refused where it lies, and adopt begins anew from the venue's books when it is moved away", async () => {
    const stage = await botStage();
    const bot = stage.run();
    await trades(stage);
    bot.kill("SIGTERM");
    await bot.ended();
    const orders = await stage.orders();
    truncateSync(stage.journal, statSync(stage.journal).size / 2);

    for (const words of [
      ["run", "--port", "0"],
      ["adopt", "--yes", "--reason", "the journal was lost"],
    ]) {
      const refused = await stage.command(...words);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/journal .*: broken.*without one, move the journal .*: then pegbot adopt begins anew/),
      ]);
    }
    for (const suffix of ["", "-wal", "-shm", ".anchor"])
      if (existsSync(stage.journal + suffix)) renameSync(stage.journal + suffix, `${stage.journal}.away${suffix}`);
    expect((await stage.command("run", "--port", "0")).stderr).toContain("there is none, and this is no first start");
    expect(await stage.orders()).toBe(orders);

    const adopted = await stage.command("adopt", "--yes", "--reason", "the journal was lost");
    expect(adopted.code, adopted.stderr).toBe(0);
    expect(adopted.stderr).toContain("(new: the venue's totals become its opening entry)");
    stage.run();
    await trades(stage);
  });
});
