// `npm run docs:metrics`: writes the figures into docs/reference/figures.md from their comments.

import { writeFileSync } from "node:fs";
import { metricsPage } from "../test/support/metrics-page.ts";

const { path, wanted } = metricsPage();
writeFileSync(path, wanted);
