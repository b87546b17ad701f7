// Candles as ccxt's fetchOHLCV gives them, saved as JSON: [[ms, open, high, low, close, volume], ...].

import { z } from "zod";
import { TIME_UNITS } from "../csv/layout.ts";
import { type Format, priceScale, sizeScale } from "./format.ts";
import { readJson } from "./read-json.ts";

const RULE = "candles must be a list of [ms, open, high, low, close, volume]";
const cell = z.number().nullable();
const schema = z.array(z.array(cell).min(5).max(6));

export const ccxt: Format = {
  name: "ccxt",
  title: "candles of ccxt's fetchOHLCV as JSON: [[ms, open, high, low, close, volume], ...]",
  unit: "row",
  zone: "own",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs", "entry"],
  async read(input) {
    const rows = await readJson(input, schema, RULE);
    const { per } = priceScale(input.declared);
    const { times } = sizeScale(input.declared);
    const timeFactor = TIME_UNITS[input.declared.timeUnit ?? "ms"];
    const intake = input.intake("bars");
    for (const [i, row] of rows.entries()) {
      const [time, open, high, low, close, volume] = row.map((value) => value ?? Number.NaN) as [
        number,
        number,
        number,
        number,
        number,
        number?,
      ];
      intake.add(
        i + 1,
        Math.floor(time * timeFactor),
        open / per,
        high / per,
        low / per,
        close / per,
        (volume ?? Number.NaN) * times,
      );
    }
  },
};
