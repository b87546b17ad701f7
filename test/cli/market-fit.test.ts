import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { marketSettings } from "../../src/cli/option/market-parameters.ts";
import { unwrap } from "../../src/domain/result.ts";
import { DEFAULT_MARKET } from "../../src/simulator/market/parameters.ts";
import { marketIn } from "../../src/simulator/market/scenario.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";

it("finds the parameters of the market that a recording comes from, and --market takes the file", async () => {
  const folder = temporaryFolder();
  const market = ["pairs.VCHF/CHF.halfSpreadBps=4", "pairs.VCHF/CHF.depth=7000", "pegs.VCHF.deviationBps=20"];
  const settings = ["demo", "pairs.VCHF/CHF.noiseBps=0", "stress.chancePerDay=0", ...market];
  const flags = settings.flatMap((setting) => ["--market", setting]);
  const made = [
    "data",
    "generate",
    "--pair",
    "VCHF/CHF",
    "--days",
    "10",
    "--interval",
    "1m",
    "--out",
    folder,
    ...flags,
  ];
  expect(await runHere(made, recordedShell())).toMatchObject({ code: 0 });
  const out = join(folder, "own.market");
  const { code, stdout } = await runHere(["market", "fit", folder, "--out", out], recordedShell());
  expect([code, stdout]).toEqual([0, expect.stringContaining("everything else as in ")]);
  expect(stdout).toMatch(/pegs\.VCHF\.deviationBps=[0-9.]+, with 95 % between [0-9.]+ and [0-9.]+\n/);
  expect(stdout).toContain("0.0 % of hours were set apart as stress");
  const fitted = unwrap(marketIn(marketSettings(out, [])));
  expect(fitted.name).toBe(DEFAULT_MARKET.name);
  expect(fitted.pairs["VCHF/CHF"]?.halfSpreadBps).toBeCloseTo(4, 1);
  expect((fitted.pairs["VCHF/CHF"]?.depth ?? 0) / 7_000).toBeCloseTo(1, 1);
  expect((fitted.pegs.VCHF?.deviationBps ?? 0) / 20).toBeCloseTo(1, 0);
  expect((fitted.pegs.VCHF?.halfLifeMs ?? 0) / (40 * 60_000)).toBeCloseTo(1, 0);
  expect(readFileSync(out, "utf8")).toContain("# fitted to");
  const other = await runHere(["market", "fit", folder, "--out", `${out}.txt`], recordedShell());
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(".market")]);
});
