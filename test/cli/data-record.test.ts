// `data record` against a real simulator: what it writes is what `data inspect` and `backtest` read, also when the process
// was killed in the middle.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import { newKeyPair } from "../contract/client.ts";
import { temporaryFolder } from "../journal/place.ts";
import { openAccount, openSimulator } from "../simulator/server-stage.ts";
import { COMPILED } from "../support/compiled.ts";
import { start, until } from "../support/program.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { runHere } from "../support/run-here.ts";
import { LAUNCHER } from "./pegbot.ts";

async function stage() {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await openSimulator();
  const key = newKeyPair();
  await openAccount(server, key);
  const pem = key.privateKey.export({ type: "pkcs8", format: "pem" });
  createSecretFile(join(folder, "key.pem"), Buffer.from(pem), "key file");
  const configFile = join(folder, "pegbot.yaml");
  writeFileSync(configFile, `venue: { baseUrl: "${server.baseUrl}" }\nkey: { file: ./key.pem }\n`);
  const stop = new AbortController();
  const pegbot = (...args: string[]) =>
    runHere(args, { ...recordedShell({ configFile }), clock: systemClock, stopSignal: () => stop.signal });
  const out = join(folder, "seen");
  return { folder, configFile, environment, out, pegbot, stop, rows: (name: string) => rowsIn(join(out, name)) };
}

/** Of a table that is being written. */
function rowsIn(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 2 : 0;
}

describe("data record", () => {
  it("writes columns that inspect and backtest read, the venue's quotes and each feed apart", async () => {
    const { out, folder, pegbot, stop, rows } = await stage();
    const recording = pegbot("data", "record", "--out", out, "--every", "500ms", "--json");
    const tables = ["venue/VCHF-CHF", "simulator-a/GBP-CHF", "simulator-a/USDC-CHF", "simulator-b/GBP-CHF"];
    await until(() => tables.every((name) => rows(`${name}.csv`) >= 3), "three rows of each");
    stop.abort();
    const recorded = await recording;
    expect(recorded).toMatchObject({ code: 0 });
    const files = JSON.parse(recorded.stdout) as {
      source: string;
      symbol: string;
      rows: number;
      leftOut: Record<string, number>;
      file: string;
    }[];
    const rowsOf = (source: string, symbol: string): number =>
      files.find((file) => file.source === source && file.symbol === symbol)?.rows ?? 0;
    expect(rowsOf("venue", "VCHF/CHF")).toBeGreaterThan(2);
    expect(rowsOf("simulator-a", "GBP/CHF")).toBeGreaterThan(2);
    expect(rowsOf("simulator-b", "GBP/CHF")).toBeGreaterThan(1);
    expect(readdirSync(out).sort()).toEqual(["simulator-a", "simulator-b", "venue"]);
    expect(readdirSync(join(out, "simulator-a")).sort()).toEqual(
      ["GBP-CHF", "USDC-CHF"].flatMap((pair) => [`${pair}.columns`, `${pair}.columns.manifest.json`]),
    );
    const inspected = await pegbot("data", "inspect", out, "--json");
    expect(inspected).toMatchObject({ code: 0 });
    type Seen = Pick<(typeof files)[number], "rows" | "leftOut">;
    const told = ({ rows, leftOut }: Seen): Seen => ({ rows, leftOut });
    expect((JSON.parse(inspected.stdout) as Seen[]).map(told)).toEqual(
      [...files].sort((one, other) => one.file.localeCompare(other.file)).map(told),
    );
    const tested = await pegbot("backtest", "--data", out, "--out", join(folder, "report.html"), "--json");
    expect(tested.stderr).not.toMatch(/invariant/);
    expect(tested).toMatchObject({ code: 0 });
    const again = await pegbot("data", "record", "--out", out, "--duration", "1s");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing is overwritten") });
  });

  it("leaves what it had flushed when it is killed, and that can be read", async () => {
    const { out, configFile, environment, folder, pegbot, rows } = await stage();
    const args = [LAUNCHER, "--config", configFile, "data", "record", "--out", out, "--every", "500ms"];
    const program = start(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...environment },
    });
    await until(() => rows("venue/VCHF-CHF.csv") >= 3, "three rows on disk");
    program.killGroup("SIGKILL");
    await program.ended();
    const kept = rows("venue/VCHF-CHF.csv");
    const [table, columns] = ["csv", "columns"].map((end) => join(out, "venue", `VCHF-CHF.${end}`)) as [string, string];
    const imported = await pegbot("data", "import", table, "--pair", "VCHF/CHF", "--out", columns, "--json");
    expect(JSON.parse(imported.stdout)).toMatchObject({ rows: kept });
  });
});
