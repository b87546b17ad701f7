// The browser of the machine, without a window. Tests that open one begin with needs("chromium").

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { WAIT_MS_MAX } from "./patience.ts";

export async function openBrowser(): Promise<Browser> {
  const program = { executablePath: programOnPath("chromium"), args: ["--no-sandbox"] };
  const browser = await chromium.launch({ ...program, timeout: WAIT_MS_MAX });
  browser.on("context", (context) => context.setDefaultTimeout(WAIT_MS_MAX));
  return browser;
}

function programOnPath(name: string): string {
  const found = (process.env.PATH ?? "").split(delimiter).find((folder) => isProgram(join(folder, name)));
  if (found === undefined) throw new Error(`${name} must be on the PATH`);
  return join(found, name);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
