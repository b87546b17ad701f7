// How user files are loaded from any folder: "pegbot/strategy" and "pegbot/testing" inside them resolve to this very
// package, and a file with an import or an export is a module whatever the nearest package.json says (`npm init` writes
// "type": "commonjs").

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

let isHooked = false;

/** Once per thread, because a hook cannot be removed. */
export function takeUserModules(): void {
  if (isHooked) return;
  isHooked = true;
  const own = import.meta.url;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "pegbot" || specifier.startsWith("pegbot/"))
        return next(specifier, { ...context, parentURL: own });
      const found = next(specifier, context);
      const format = formatOf(found.url, found.format);
      return format === undefined ? found : { ...found, format };
    },
  });
}

/** Undefined where the runtime's format is right. */
function formatOf(url: string, format: string | null | undefined): string | undefined {
  const [, path, suffix] = /^(file:[^?#]*\.(ts|js))(?:$|[?#])/.exec(url) ?? [];
  const isTaken = format === "module" || format === "module-typescript";
  if (path === undefined || isTaken || url.includes("/node_modules/") || !isModule(path)) return undefined;
  return suffix === "ts" ? "module-typescript" : "module";
}

function isModule(path: string): boolean {
  try {
    return /^(import|export)\b/m.test(readFileSync(new URL(path), "utf8"));
  } catch {
    return false;
  }
}
