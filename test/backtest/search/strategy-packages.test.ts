import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ResultStore } from "../../../backtest/search/result-store.ts";
import { specificationOf } from "../../../backtest/search/sweep-plan.ts";
import { packagesOf, reachedFrom, strategyDigest } from "../../../backtest/search/trial-files.ts";
import { runTrial } from "../../../backtest/search/trial-result.ts";
import { sweepPlan } from "../../../src/cli/research/search.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { NO_FILES, trialOf } from "./stage.ts";

/** A folder with a strategy that imports `edges`, which depends on `numbers`, and whatever else is written. */
function project(imports = 'import { EDGE } from "edges"; void EDGE;') {
  const folder = realpathSync(temporaryFolder());
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write("node_modules/edges/package.json", manifest("edges", { dependencies: { numbers: "1" } }));
  write("node_modules/edges/index.js", 'export { FOUR as EDGE } from "numbers";');
  write("node_modules/numbers/package.json", manifest("numbers"));
  write("node_modules/numbers/index.js", "export const FOUR = 4;");
  const path = write(
    "s.ts",
    `import { defineStrategy } from "pegbot/strategy"; import "node:fs"; ${imports}
     export default defineStrategy({ name: "packed", decide: () => undefined });`,
  );
  return { folder, path, write, packages: () => packagesOf(unwrap(reachedFrom(path))) };
}

function manifest(name: string, more: object = {}): string {
  return JSON.stringify({ name, version: "1.0.0", type: "module", exports: "./index.js", ...more });
}

it("names the packages that a strategy imports with their versions, and pegbot and Node's own not", () => {
  const { write, packages } = project();
  expect(packages()).toEqual(["edges 1.0.0"]);
  write("node_modules/edges/package.json", manifest("edges", { version: "1.0.1" }));
  expect(packages()).toEqual(["edges 1.0.1"]);
});

it("a file of results from before is not gone on with when a package that the strategy imports has changed, and it is said", async () => {
  const { folder, path, write } = project();
  const opened = async () => {
    const { plan } = await sweepPlan(recordedShell(), {
      ...DAY,
      strategy: path,
      market: ["pegs.VCHF.deviationBps=5,10"],
    });
    const store = ResultStore.open(
      join(folder, "sweep.db"),
      specificationOf(plan, { version: "", sources: "", runtime: "" }),
    );
    // Before its first result a file is anybody's.
    if (store.ok) store.value.put({ kind: "refused", trial: "1".repeat(64), reason: "why" }, trialOf());
    if (store.ok) store.value.close();
    return store.ok ? "opened" : store.error.slice(folder.length);
  };
  expect(await opened()).toBe("opened");
  expect(await opened()).toBe("opened");
  write("node_modules/edges/package.json", manifest("edges", { version: "1.0.1" }));
  expect(await opened()).toBe("/sweep.db has the results of another specification: strategy differs");
});

const DAY: Parameters<typeof sweepPlan>[1] = {
  ...{ data: "synthetic", param: [], limit: [], market: [], edge: true, seed: 1, cache: true },
  ...{ days: 1, latency: 25, decision: 0, pace: 1_000, feeBps: 0, publication: 0 },
  ...{ search: "grid", objective: "profit", outOfSample: { kind: "time", share: 0.3 } },
};

it("a run that finds other packages than its trial was given with is refused", async () => {
  const { path, write } = project();
  const digest = unwrap(strategyDigest(path));
  const ground = { ...NO_FILES, strategies: [{ digest, path }] };
  const trial = trialOf({ strategy: { kind: "file", digest } });
  expect(await runTrial(trial, ground)).toMatchObject({ kind: "ran" });
  write("node_modules/edges/package.json", manifest("edges", { version: "1.0.1" }));
  await expect(runTrial(trial, ground)).rejects.toThrow("the packages that it imports must stay as they are");
});
