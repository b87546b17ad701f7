// `npm run reference`: writes the pages of docs/reference/ from the program. A test compares them.

import { writeFileSync } from "node:fs";
import { referencePages } from "./reference/pages.ts";

for (const [path, text] of await referencePages()) writeFileSync(path, text);
