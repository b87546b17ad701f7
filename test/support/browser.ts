// The browser of the machine, without a window. Tests that open one begin with needs("chromium").

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: programOnPath("chromium"), args: ["--no-sandbox"] });
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
