// Starts drivers: each a process of its own, in a folder of its own, all on one key and one ledger.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BudgetOptions } from "../../../src/exchange/budget/open-budget.ts";
import type { TransportSettings } from "../../../src/exchange/transport.ts";
import { isAlive, type Program, start } from "../../support/program.ts";

export type DriverSettings = Pick<BudgetOptions, "pacing" | "lease" | "budget"> & {
  readonly role: "poller" | "balances" | "mint" | "rail" | "doubt";
  readonly stateFolder: string;
  readonly fingerprint: string;
  readonly port: number;
  readonly bot?: boolean;
  readonly transport?: Partial<TransportSettings>;
  readonly requestsMax?: number;
};

export type DriverEnd = {
  readonly sent: number;
  readonly answered: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly longestMs: number;
};

export type Fleet = {
  readonly drivers: readonly Program[];
  launch(settings: Omit<DriverSettings, "stateFolder" | "fingerprint">, env?: NodeJS.ProcessEnv): Program;
  /** The process that has the slot at this moment, as the ledger says. */
  holder(): number | undefined;
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
    /** `wrap` is put before the command, as faketime wants it. */
    launch(settings, env = {}) {
      const full: DriverSettings = { ...settings, stateFolder: join(home, "state"), fingerprint };
      const args = ["--disable-warning=ExperimentalWarning", driver, JSON.stringify(full)];
      const cwd = mkdtempSync(join(home, `${settings.role}-`));
      const program = start(process.execPath, args, { cwd, env: { ...process.env, ...env } });
      drivers.push(program);
      return program;
    },
    holder() {
      const ledger = new DatabaseSync(join(home, "state", "keys", fingerprint, "ledger.db"), { readOnly: true });
      try {
        return JSON.parse(String(ledger.prepare("SELECT body FROM state").get()?.body)).holder?.pid;
      } finally {
        ledger.close();
      }
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
