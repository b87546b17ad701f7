// In every process that runs tests.

import { searchRemoved } from "./canary.ts";

searchRemoved();
