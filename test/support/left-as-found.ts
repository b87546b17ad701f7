// Runs around every test file that shares its process with others: what it stubbed is put back, and whatever else it left
// changed is its failure, not that of the file that comes next.

import { afterAll, expect, vi } from "vitest";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2", "uncaughtException", "unhandledRejection"];
const environment = { ...process.env };
const before = seen();

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  expect(seen(), "a test file leaves its process as it was").toEqual(before);
  expect(changedVariables(), "a test file leaves the environment as it was").toEqual([]);
});

function seen(): object {
  return {
    folder: process.cwd(),
    umask: process.umask(),
    exitCode: process.exitCode,
    listeners: SIGNALS.map((name) => `${name} ${process.listenerCount(name)}`),
  };
}

/** Names alone: a failure is printed, and people have secrets in their environments. */
function changedVariables(): readonly string[] {
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  return [...names].filter((name) => environment[name] !== process.env[name]);
}
