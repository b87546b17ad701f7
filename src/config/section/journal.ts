// Where the durable record is kept.

import { z } from "zod";
import { filePath } from "../file-path.ts";

export const journalSchema = z.strictObject({
  path: filePath("the journal, one file per environment and account").default("./data/pegbot.db"),
});
