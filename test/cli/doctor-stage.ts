// A patient for `doctor`: a folder with a configuration and a key of its own, and the command run on it. The pace is
// shortened on our side; servers that check it take the same.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import type { Finding } from "../../src/app/finding.ts";
import { systemClock } from "../../src/app/system/system-clock.ts";
import type { Prompts } from "../../src/app/terminal/prompts.ts";
import { doctor } from "../../src/cli/command/doctor.ts";
import type { ContactOptions } from "../../src/cli/contact/check.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import type { KeyPair } from "../contract/client.ts";
import { type RecordedShell, recordedShell } from "../support/recorded-shell.ts";

const SPACING_MS = 4;

const folders: string[] = [];

/** Ledgers of the keys go into a state folder of the test's own. */
export function useOwnState(): void {
  beforeAll(() => void vi.stubEnv("XDG_STATE_HOME", newFolder()));
  afterAll(() => {
    vi.unstubAllEnvs();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-doctor-"));
  folders.push(folder);
  return folder;
}

export type Patient = {
  readonly folder: string;
  readonly keyFile: string;
  readonly configFile: string;
  configure(yaml: string): void;
};

/** `yaml` is written beside the key, which it has to name. */
export function patient(key: KeyPair, yaml: string): Patient {
  const folder = newFolder();
  const keyFile = join(folder, "key.pem");
  const pem = key.privateKey.export({ type: "pkcs8", format: "pem" });
  createSecretFile(keyFile, Buffer.from(pem), "key file");
  const configFile = join(folder, "pegbot.yaml");
  const configure = (text: string): void => writeFileSync(configFile, `key: { file: ./key.pem }\n${text}\n`);
  configure(yaml);
  return { folder, keyFile, configFile, configure };
}

export function talkingTo(baseUrl: string | URL, profile = "contract"): string {
  return `venue:\n  baseUrl: "${baseUrl}"\n  profile: ${profile}`;
}

export type Visit = {
  readonly code: number;
  readonly findings: readonly Finding[];
  readonly shell: RecordedShell;
  finding(check: string): Finding;
};

type VisitOptions = ContactOptions & {
  readonly json?: boolean;
  readonly interactive?: boolean;
  readonly prompts?: Prompts;
  readonly spacingMs?: number;
};

export async function visit(configFile: string, options: VisitOptions = {}): Promise<Visit> {
  const { interactive = false, json = true, prompts, spacingMs = SPACING_MS, ...flags } = options;
  const shell = { ...recordedShell({ configFile, interactive, json }), clock: systemClock };
  const pacing = { spacingMs, limitedPauseMs: spacingMs };
  const code = await doctor(shell, flags, { tuning: { pacing }, ...(prompts === undefined ? {} : { prompts }) });
  const findings: Finding[] = !json ? [] : JSON.parse(shell.stdout()).findings;
  const finding = (check: string): Finding => {
    const found = findings.find((one) => one.check === check);
    if (found === undefined) throw new Error(`no finding of ${check} in ${shell.stdout()}`);
    return found;
  };
  return { code, findings, shell, finding };
}
