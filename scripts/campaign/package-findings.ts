// What publint and attw (Are The Types Wrong) find in the built package. It is ES modules only, so how CommonJS would resolve it is
// left out, as attw's own profile `esm-only` does.

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const COMMON_JS: readonly string[] = ["node10", "node16-cjs"];

export async function packageFindings(folder: string, tarball: Uint8Array): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  const { types, ...checked } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const problems = "problems" in checked ? checked.problems : [];
  const wrong = problems.filter((one) => !("resolutionKind" in one && COMMON_JS.includes(one.resolutionKind)));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...(types === false ? ["attw: the package has no types"] : []),
    ...wrong.map((one) => `attw: ${one.kind} ${"entrypoint" in one ? one.entrypoint : ""}`),
  ];
}
