// Where tables that were read once are kept as columns.

import { join } from "node:path";
import { cacheFolder } from "../config/cache-folder.ts";
import { environment } from "../config/environment.ts";
import { orFail } from "./command-failure.ts";

export function columnCache(): string {
  return join(orFail(cacheFolder(environment())), "columns");
}
