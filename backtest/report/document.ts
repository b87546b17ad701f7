// A page as one file: everything is in it, it asks nobody for anything, and its own policy forbids it to.

import { createHash } from "node:crypto";
import type { Chart } from "./chart/spec.ts";
import { type Html, html, jsonBlock, NOTHING } from "./html.ts";
import { type PageModule, pageAssets } from "./page-assets.ts";

export type Document = {
  readonly title: string;
  readonly body: Html;
  /** Drawn where the body has a place for them. */
  readonly charts: readonly Chart[];
  /** Parts of the script that only some pages need, and what they read. */
  readonly modules?: readonly PageModule[];
  readonly data?: unknown;
};

export function renderDocument({ title, body, charts, modules = [], data }: Document): string {
  const { script, style } = pageAssets(modules);
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const block =
    data === undefined ? NOTHING : html`<script type="application/json" id="data">${jsonBlock(data)}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
${html`<title>${title}</title>`.markup}
<style>${style}</style>
</head>
<body>
<noscript><p class="note">Charts are drawn by the page's own script, and scripts are switched off here: their frames stay empty, the tables have all figures.</p></noscript>
${body.markup}
${block.markup}<script type="application/json" id="charts">${jsonBlock(charts).markup}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
