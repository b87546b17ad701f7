import { expect, onTestFinished, test } from "vitest";
import type { JournalRecord } from "../../src/journal/record.ts";
import { until } from "../support/program.ts";
import { openStage } from "./chaos/stage.ts";

const FOUR_MINUTES = 240_000;

test("at default settings, after a first fill, an order that vanished is released without a person within four minutes", async () => {
  const stage = openStage({
    seed: 3,
    // Not faster: it runs next to other test files, which keep it waiting for moments.
    factor: 10,
    faults: { rules: [{ fault: "lost-request", on: "addOrder", nth: 4 }] },
  });
  onTestFinished(() => stage.close());
  await stage.startSimulator();
  const bot = stage.startBot();
  const of = <K extends JournalRecord["kind"]>(kind: K): readonly Extract<JournalRecord, { kind: K }>[] =>
    stage
      .entries()
      .flatMap(({ record }) => (record.kind === kind ? [record as Extract<JournalRecord, { kind: K }>] : []));
  await until(() => of("resolution").length > 0, `a resolution; the bot said ${bot.stderr().slice(-500)}`);
  const [resolution] = of("resolution");
  expect(resolution).toMatchObject({ verdict: { kind: "released" }, by: "bot" });
  const sent = of("sending").find(({ id }) => id === resolution?.id);
  expect((resolution?.at ?? 0) - (sent?.at ?? 0)).toBeLessThanOrEqual(FOUR_MINUTES);
  const intents = of("intent").length;
  await until(() => of("intent").length > intents, "the bot to trade again");
  bot.kill("SIGTERM");
  await bot.ended();
});
