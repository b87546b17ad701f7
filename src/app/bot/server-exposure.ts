// From the section `server` to what the server is given: certificate and key are read, and whatever is missing to let other
// machines in refuses the start.

import { readFileSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { type Exposure, exposureProblem } from "../../domain/exposure.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { readSecretFile } from "../../exchange/key/secret-file.ts";

export function serverExposure({ host, exposed, tls, names }: Config["server"]): Result<Exposure> {
  const pair = tls === undefined ? ok(undefined) : readPair(tls);
  if (!pair.ok) return pair;
  const exposure = { host, exposed, tls: pair.value, names };
  const problem = exposureProblem(exposure);
  return problem === undefined ? ok(exposure) : err(problem);
}

function readPair({ certFile, keyFile }: { certFile: string; keyFile: string }): Result<Exposure["tls"]> {
  const key = readSecretFile(keyFile, "TLS key");
  if (!key.ok) return key;
  try {
    return ok({ cert: readFileSync(certFile, "utf8"), key: key.value.toString("utf8") });
  } catch (error) {
    return err(`TLS certificate ${certFile} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
