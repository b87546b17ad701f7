// The description of the service, as it stands in docs/openapi.yaml.

import { readFileSync } from "node:fs";
import { parse } from "yaml";

let document: unknown;

/** Read once, when somebody asks. */
export function openapiDocument(): unknown {
  document ??= parse(readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
  return document;
}
