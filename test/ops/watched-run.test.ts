// A paper run as people watch it: a real Prometheus scrapes it with our rules, a real Alertmanager calls a webhook.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { botFolder } from "../app/bot/bot-process.ts";
import { eventually, said } from "../cli/bot-stage.ts";
import { needs } from "../support/needs.ts";
import { type Program, until } from "../support/program.ts";
import { dashboard, expressions, filledIn, metricsIn } from "./dashboard.ts";

type Alert = {
  readonly status: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
};
type Run = {
  readonly bot: string;
  readonly prometheus: string;
  readonly token: string;
  /** What the webhook was told. */
  readonly alerts: readonly Alert[];
};

const stage = botFolder({ onTestFinished: afterAll });
let running: Promise<Run> | undefined;

/** Both programs log the address that they really listen on. */
async function listening(program: Program): Promise<string> {
  const found = await said(program, /msg="Listening on" address=(127\.0\.0\.1:\d+)/);
  return found.slice(found.indexOf("127."));
}

async function begin(): Promise<Run> {
  const alerts: Alert[] = [];
  const webhook = createServer((request: IncomingMessage, response) => {
    void textOf(request).then((body) => {
      alerts.push(...(JSON.parse(body) as { alerts: Alert[] }).alerts);
      response.end();
    });
  });
  await new Promise<void>((ready) => webhook.listen(0, "127.0.0.1", ready));
  afterAll(() => void webhook.close());
  const program = stage.pegbot("start", "--port", "0");
  const place = (name: string): string => join(stage.folder, name);
  mkdirSync(place("prometheus"));
  mkdirSync(place("alertmanager"));

  const alertmanagerConfig = parse(readFileSync("ops/alertmanager.yml", "utf8"));
  alertmanagerConfig.receivers[0].webhook_configs[0].url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
  writeFileSync(place("alertmanager.yml"), stringify(alertmanagerConfig));
  const alertmanager = stage.command(
    "prometheus-alertmanager",
    `--config.file=${place("alertmanager.yml")}`,
    `--storage.path=${place("alertmanager")}`,
    "--cluster.listen-address=",
    "--web.listen-address=127.0.0.1:0",
  );
  const bot = (await said(program, /http:\/\/127\.0\.0\.1:\d+\//)).slice("http://".length, -1);

  const config = parse(readFileSync("ops/prometheus.yml", "utf8"));
  config.global = { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" };
  config.rule_files = [resolve("ops/alerts.yml")];
  config.alerting.alertmanagers[0].static_configs[0].targets = [await listening(alertmanager)];
  config.scrape_configs = [{ job_name: "pegbot", static_configs: [{ targets: [bot] }] }];
  writeFileSync(place("prometheus.yml"), stringify(config));
  const prometheus = stage.command(
    "prometheus",
    `--config.file=${place("prometheus.yml")}`,
    `--storage.tsdb.path=${place("prometheus")}`,
    "--web.listen-address=127.0.0.1:0",
  );
  const address = `http://${await listening(prometheus)}`;
  await eventually(async () => (await fetch(`${address}/-/ready`)).ok, "Prometheus to be ready");
  const token = readFileSync(`${stage.journal}.token`, "utf8").trim();
  return { bot: `http://${bot}`, prometheus: address, token, alerts };
}

function watched(): Promise<Run> {
  needs("prometheus", "prometheus-alertmanager", "promtool");
  running ??= begin();
  return running;
}

type Sample = { readonly metric: Record<string, string>; readonly value: readonly [number, string] };

async function query(expr: string): Promise<readonly Sample[]> {
  const { prometheus } = await watched();
  const answer = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query: expr })}`);
  const body = (await answer.json()) as { status: string; error?: string; data?: { result: readonly Sample[] } };
  if (body.status !== "success") throw new Error(`${expr}: ${body.error}`);
  return body.data?.result ?? [];
}

async function figure(expr: string): Promise<number> {
  return Number((await query(expr))[0]?.value[1] ?? Number.NaN);
}

async function scrape(): Promise<string> {
  const { bot } = await watched();
  return (await fetch(`${bot}/metrics`)).text();
}

/** Exit code and words of a program that reads its input. */
async function fed(command: string, args: readonly string[], input: string): Promise<{ code: number; words: string }> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const words = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const code = await new Promise<number>((ended) => child.once("close", (status) => ended(status ?? -1)));
  return { code, words: (await words).join("") };
}

describe("a paper run that is watched", () => {
  test("is scraped by a real Prometheus while it trades", async () => {
    await eventually(async () => (await figure("sum(pegbot_fills_total)")) > 0, "a fill in Prometheus");
    // A scrape has a second, and a busy machine may miss one.
    await eventually(async () => (await figure('up{job="pegbot"}')) === 1, "a scrape in time");
    // On a busy machine a price may be too old for a moment, and equity unknown.
    await eventually(async () => (await figure("pegbot_equity")) > 100_000, "equity in Prometheus");
    const sent = 'pegbot_requests_total{endpoint="addOrder",outcome="ok"}';
    await eventually(async () => (await figure(sent)) > 0, "an order that was sent");
    await eventually(async () => (await figure("pegbot_last_good_answer_age_seconds")) < 60, "a good answer");
  });

  test("shows metrics that promtool has nothing to say against", async () => {
    expect(await fed("promtool", ["check", "metrics"], await scrape())).toEqual({ code: 0, words: "" });
    const sloppy = await fed("promtool", ["check", "metrics"], "# TYPE a_total gauge\na_total 1\n");
    expect(sloppy.code).not.toBe(0);
  });

  test("has every metric that the dashboard, the alerts and the page on monitoring name", async () => {
    const rules = parse(readFileSync("ops/alerts.yml", "utf8")).groups[0].rules as { expr: string }[];
    const wanted = new Set([...expressions, ...rules.map(({ expr }) => expr)].flatMap(metricsIn));
    expect(wanted.size).toBeGreaterThan(50);
    const { prometheus } = await watched();
    const missing = async (): Promise<readonly string[]> => {
      const answer = await fetch(`${prometheus}/api/v1/label/__name__/values`);
      const known = new Set(((await answer.json()) as { data: string[] }).data);
      return [...wanted].filter((name) => !known.has(name));
    };
    // Some need a few requests, or a second look, before there is anything to say.
    await eventually(async () => (await missing()).length === 0, "every metric").catch(async () =>
      expect(await missing()).toEqual([]),
    );
  });

  test("draws the dashboard, panel by panel: each expression has data, where it does not wait for trouble", async () => {
    for (const { title, targets = [] } of dashboard.panels) {
      const drawn = async (): Promise<boolean> => {
        // What shows only trouble is looked at without its threshold.
        const found = targets.map(({ expr }) => query(filledIn(expr).replace(/ (>|==) [01]$/, "")));
        return (await Promise.all(found)).every((samples) => samples.length > 0);
      };
      await eventually(drawn, `data of the panel ${title}`);
    }
    for (const expr of expressions) await query(expr);
    await expect(query("rate(pegbot_equity)")).rejects.toThrow();
  });

  test("has the metrics that docs/reference/metrics.md lists, with these types, labels and meanings, and no others", async () => {
    const page = readFileSync("docs/reference/metrics.md", "utf8");
    const listed = [...page.matchAll(/^\| `(pegbot_\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$/gm)];
    const documented = listed.map(([, name, type, labels = "", help]) => ({
      name,
      type,
      help,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    }));
    const byName = (a: { name: string | undefined }, b: { name: string | undefined }): number =>
      (a.name ?? "") < (b.name ?? "") ? -1 : 1;
    // A gauge whose value is unknown for a moment has no sample then, and so no labels to compare.
    const wanted = documented.toSorted(byName);
    let shown = familiesOf(await scrape()).toSorted(byName);
    await eventually(async () => {
      if (isDeepStrictEqual(shown, wanted)) return true;
      shown = familiesOf(await scrape()).toSorted(byName);
      return false;
    }, "a scrape as documented").catch(() => expect(shown).toEqual(wanted));
  });

  test("fires an alert into a webhook, through Prometheus and Alertmanager, when a person stops it", async () => {
    const { bot, token, alerts } = await watched();
    expect(alerts.filter(({ labels }) => labels.alertname === "PegbotKillSwitchOn")).toEqual([]);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ reason: "to see the alert" });
    expect((await fetch(`${bot}/api/halt`, { method: "POST", headers, body })).status).toBe(200);
    const fired = (): Alert | undefined => alerts.find(({ labels }) => labels.alertname === "PegbotKillSwitchOn");
    await until(() => fired() !== undefined, "the alert at the webhook");
    expect(fired()).toMatchObject({
      status: "firing",
      labels: { severity: "critical", job: "pegbot" },
      annotations: { runbook_url: `${bot}/docs/operate/alerts#pegbotkillswitchon` },
    });
    const page = await (await fetch(fired()?.annotations.runbook_url ?? "")).text();
    expect(page).toContain('id="pegbotkillswitchon"');
  });
});

function familiesOf(text: string) {
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)\n(\S.*)?$/gm)].map(
    ([, name, help, type, sample = ""]) => ({
      name,
      type,
      help,
      labels: [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== "le"),
    }),
  );
}
