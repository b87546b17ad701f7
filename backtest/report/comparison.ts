// Another run to lay over a report: what a bot really did beside what the backtest says it would have done.

import type { Figures } from "../metric/figures.ts";
import type { RunRecord } from "../record/run-record.ts";

export type Comparison = { readonly label: string; readonly record: RunRecord; readonly figures: Figures };
