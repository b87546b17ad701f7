// Starts drivers: each a process of its own, in a folder of its own, all on one key: each waits until the one before it has ended.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BudgetOptions } from "../../../src/exchange/budget/budget.ts";
import { isAlive, type Program, start } from "../../support/program.ts";

export type DriverSettings = Pick<BudgetOptions, "pacing"> & {
  readonly role: "balances" | "mint" | "rail";
  readonly stateFolder: string;
  readonly fingerprint: string;
  readonly port: number;
};

export type DriverEnd = {
  readonly sent: number;
  readonly answered: number;
  readonly outcomes: Readonly<Record<string, number>>;
};

export type Fleet = {
  readonly drivers: readonly Program[];
  launch(settings: Omit<DriverSettings, "stateFolder" | "fingerprint">): Program;
  /** Asks all to stop and gives what each has done. */
  stop(): Promise<readonly DriverEnd[]>;
  dispose(): void;
};

const driver = resolve("test/exchange/processes/driver.ts");

export function createFleet(fingerprint: string): Fleet {
  const home = mkdtempSync(join(tmpdir(), "pegbot-fleet-"));
  const drivers: Program[] = [];
  return {
    drivers,
    launch(settings) {
      const full: DriverSettings = { ...settings, stateFolder: join(home, "state"), fingerprint };
      const args = ["--disable-warning=ExperimentalWarning", driver, JSON.stringify(full)];
      const cwd = mkdtempSync(join(home, `${settings.role}-`));
      const program = start(process.execPath, args, { cwd, env: process.env });
      drivers.push(program);
      return program;
    },
    async stop() {
      const alive = drivers.filter((program) => isAlive(program.pid));
      for (const program of alive) program.kill("SIGTERM");
      const ends: DriverEnd[] = [];
      for (const program of alive) ends.push(JSON.parse(await program.line(/"kind":"end"/)));
      return ends;
    },
    dispose() {
      for (const { pid, killGroup } of drivers) if (isAlive(pid)) killGroup("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}
