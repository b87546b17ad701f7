// How a search reads to people, the same on the terminal and on the page.

import { money, number, percent } from "../../report/format.ts";
import type { FigureName } from "../plain-figures.ts";
import type { Axis } from "./axis.ts";
import { figureOf, type Objective } from "./objective.ts";
import type { RankedRow } from "./ranking.ts";

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** As the figure reads to people; money is in the currency of the limits. */
export function achievedText(objective: Objective, value: number | null): string {
  return figureText(figureOf(objective), value);
}

export function figureText(name: FigureName, value: number | null | undefined): string {
  if (value === null || value === undefined) return "n/a";
  switch (unitOf(name)) {
    case "money":
      return money(value, "").trim();
    case "percent":
      return percent(value, 3);
    default:
      return number(value, 2);
  }
}

/** As charts and maps name it. */
export function unitOf(name: FigureName): "money" | "percent" | "ratio" {
  switch (name) {
    case "netProfit":
    case "profitOverHolding":
    case "profitPerRequest":
      return "money";
    case "totalReturn":
    case "drawdown":
    case "edgeCaptured":
      return "percent";
    default:
      return "ratio";
  }
}

/** `edgeBps=2 size=500`. */
export function setText(axes: readonly Axis[], { values }: Pick<RankedRow, "values">): string {
  return axes.map(({ name }) => `${name}=${valueText(values[name])}`).join(" ");
}
