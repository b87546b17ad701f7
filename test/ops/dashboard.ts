// The Grafana dashboard as data: its panels, and every expression in it with the variables filled in.

import { readFileSync } from "node:fs";

type Target = { readonly expr: string; readonly datasource: { readonly uid: string } };
type Panel = { readonly type: string; readonly title: string; readonly targets?: readonly Target[] };
export type Dashboard = {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
};

export const dashboard: Dashboard = JSON.parse(readFileSync("ops/grafana/pegbot.json", "utf8"));

export const targets: readonly Target[] = dashboard.panels.flatMap(({ targets = [] }) => targets);

/** As Grafana would ask it. */
export function filledIn(expr: string): string {
  return expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(instance|symbol)/g, ".*");
}

export const expressions: readonly string[] = [...targets, ...dashboard.annotations.list].map(({ expr }) =>
  filledIn(expr),
);

/** The series that an expression asks for. */
export function metricsIn(expr: string): readonly string[] {
  return [...expr.matchAll(/\bpegbot_[a-z0-9_]+/g)].map(([name]) => name);
}
