import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { type Program, until } from "../../support/program.ts";
import { listenForArrivals, nonceFaults } from "./arrivals.ts";
import { createFleet } from "./drivers.ts";

test("a wall clock that steps back an hour and forward a day never lowers or repeats a nonce, nor poisons the key", async () => {
  needs("faketime");
  const spacingMs = 50;
  const server = await listenForArrivals({ spacingMs });
  const fleet = createFleet("stepping-clock");
  const folder = mkdtempSync(join(tmpdir(), "pegbot-clock-"));
  onTestFinished(async () => {
    fleet.dispose();
    rmSync(folder, { recursive: true, force: true });
    await server.close();
  });
  const shown = join(folder, "clock");
  const show = (offset: string) => writeFileSync(shown, `${offset}\n`);
  const stepping = {
    LD_PRELOAD: execFileSync("faketime", ["-f", "+0d", "printenv", "LD_PRELOAD"], { encoding: "utf8" }).trim(),
    FAKETIME_TIMESTAMP_FILE: shown,
    FAKETIME_NO_CACHE: "1",
    // Both names, for older and newer versions: durations must come from the real monotonic clock.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  const settings = { port: server.port, pacing: { spacingMs } };
  const requestsOf = ({ pid }: Program) => server.arrivals.filter(({ from }) => from === `balances-${pid}`).length;
  const nextRequests = async (program: Program) => {
    const goal = requestsOf(program) + 4;
    await until(() => requestsOf(program) >= goal, "four requests of each process");
  };
  show("+0");
  for (const env of [stepping, {}, stepping]) {
    const one = fleet.launch({ role: "balances", ...settings }, env);
    for (const offset of env === stepping ? ["+0", "-1h", "+1d", "+0", "+1d", "-1h"] : ["+0"]) {
      show(offset);
      await nextRequests(one);
    }
    await fleet.stop();
  }
  const { arrivals } = server;
  expect(nonceFaults(arrivals)).toEqual([]);
  expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
  for (const { nonce = 0, wall } of arrivals) expect(nonce).toBeLessThanOrEqual(wall + 2_000);
});
