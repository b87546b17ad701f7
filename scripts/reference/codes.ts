// Every code that a message, a log line or a metric may carry, with its meaning and the page that has the way out. The meaning is
// read from that page, so that it is written once.

import { readFileSync } from "node:fs";

type Found = { readonly name: string; readonly meaning: string; readonly link: string };

/** As forges and the site name headings. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

export function codesPage(): string {
  const groups: readonly (readonly [title: string, about: string, codes: readonly Found[]])[] = [
    ["Causes of a stop", "In `status`, in messages, and in the label `cause`.", causes()],
    [
      "Rules that refuse an order",
      "",
      [
        ...rules("guides/limits.md", "before-an-order", /^\| (RC\w+) \| (.*?)(?<!\\) \|/gm),
        ...rules("concepts/risk.md", "at-the-exit", /^- \*\*(RC21)\*\* \(.*?\): (.*?)\.$/gm),
      ],
    ],
    [
      "Rules for proposals",
      "",
      rules("guides/strategy.md", "what-becomes-of-a-proposal", /^ +- `(PR\d+)` (.*?)[;.]$/gm),
    ],
    ["Rules for mints and rails", "", rules("guides/treasury.md", "rules", /^\| (RM.*?) \| (.*?) \|$/gm)],
    [
      "Requests to the venue",
      "In the log, in `pegbot_orders_total`, and in answers of commands.",
      tableOf("guides/requests.md", "Failure codes"),
    ],
    ["The journal", "", [...stopsOfJournal(), ...tableOf("operate/journal.md", "Errors")]],
    ["What `journal verify` finds", "", tableOf("operate/journal.md", "Verdicts")],
    ["The key's file", "", tableOf("operate/key-file.md", "When the key's file is in trouble")],
    ["Rows of a data file", "", tableOf("guides/data.md", "What is checked")],
  ];
  const parts = groups.map(([title, about, codes]) => {
    const entries = codes.map(
      ({ name, meaning, link }) =>
        `### ${/^[A-Z]/.test(name) ? name : `\`${name}\``}\n\n${meaning}${link === "" ? "" : ` [More](${link})`}`,
    );
    return [`## ${title}`, ...(about === "" ? [] : [about]), ...entries].join("\n\n");
  });
  return [
    "# Codes",
    "Every code, what it means, and where its way out is. Exit codes are with [the commands](commands.md#exit-codes), alerts have [a page](../operate/alerts.md).",
    ...parts,
  ].join("\n\n");
}

function page(name: string): string {
  return readFileSync(`docs/${name}`, "utf8");
}

function rules(name: string, anchor: string, pattern: RegExp): readonly Found[] {
  return [...page(name).matchAll(pattern)].flatMap(([, codes = "", meaning = ""]) =>
    codes
      .split(", ")
      .map((one) => ({ name: one, meaning: sentence(relinked(meaning, name)), link: `../${name}#${anchor}` })),
  );
}

/** The rows of the first table below a heading, whose first cell has codes alone. */
function tableOf(name: string, heading: string): readonly Found[] {
  const [, below = ""] = page(name).split(new RegExp(`^## ${heading}$`, "m"));
  const [part = ""] = below.split(/^## /m);
  return [...part.matchAll(/^\| (`[a-z-]+`(?:[ ,]+`[a-z-]+`)*) \| (.*?)(?: \|.*)?\|$/gm)].flatMap(
    ([, cell = "", meaning = ""]) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => ({
        name: code,
        meaning: sentence(relinked(meaning.trim(), name)),
        link: `../${name}#${slugOf(heading)}`,
      })),
  );
}

/** The sections of the page of stops: heading, and what stands below it. */
function stops(): readonly (readonly [title: string, text: string])[] {
  const parts = page("operate/stops.md").split(/^### /m).slice(1);
  return parts.map((part) => [
    part.slice(0, part.indexOf("\n")),
    part.slice(part.indexOf("\n")).split(/^## /m)[0] ?? "",
  ]);
}

function causes(): readonly Found[] {
  const byCause = new Map<string, string[]>();
  for (const [title, text] of stops()) {
    const cause = /^Cause `(\w+)`/m.exec(text)?.[1];
    const link = `[${title.replaceAll("`", "")}](../operate/stops.md#${slugOf(title)})`;
    if (cause !== undefined) byCause.set(cause, [...(byCause.get(cause) ?? []), link]);
  }
  return [...byCause].map(([name, links]) => ({ name, meaning: `${links.join("; ")}.`, link: "" }));
}

function stopsOfJournal(): readonly Found[] {
  return stops().flatMap(([title, text]) =>
    [...title.matchAll(/`((?:journal|anchor)-\w+)`/g)].map(([, name = ""]) => ({
      name,
      meaning: sentence((text.trim().split("\n\n")[0] ?? "").replace(/^Cause `\w+`: /, "").replaceAll("\n", " ")),
      link: `../operate/stops.md#${slugOf(title)}`,
    })),
  );
}

/** A link of another page, as this one has to write it. */
function relinked(text: string, from: string): string {
  const folder = from.split("/")[0] ?? "";
  return text.replaceAll(/\]\((?![a-z]+:)([^)]*)\)/g, (_, href: string) => {
    if (href.startsWith("#")) return `](../${from}${href})`;
    return `](${href.startsWith("../") ? href : `../${folder}/${href}`})`;
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? "" : "."}`;
}
