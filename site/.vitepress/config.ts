// The documentation as a site: pages of ../docs, served by a running bot at /docs/. Nothing is asked of another host: local
// search, the reader's own fonts.

import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig } from "vitepress";
import { sections, titleOf } from "./sidebar.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const SITE = join(import.meta.dirname, "..");

/** As forges name them, so that one link works on both. */
function slugify(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

export default defineConfig({
  title: "pegbot",
  description: "An algorithmic trading bot for a venue of fiat-backed stablecoins",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  base: "/docs/",
  srcDir: "../docs",
  outDir: "dist",
  cleanUrls: true,
  metaChunk: true,
  rewrites: { "README.md": "index.md" },
  // What lies outside docs/ is read in the repository.
  ignoreDeadLinks: [/^\.?\.?\/?.*(?:CHANGELOG|SECURITY|CONTRIBUTING|AGENTS|LICENSE|\/ops\/|openapi)/],
  markdown: {
    anchor: { slugify },
    headers: { level: [2, 3], slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config(md) {
      // Indented code looks and scrolls as fenced code does.
      md.renderer.rules.code_block = (...code) => md.renderer.rules.fence?.(...code) ?? "";
      // The name of a key or metric breaks where its parts meet, so that what it means is on the screen, too.
      const inline = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (...code) =>
        (inline?.(...code) ?? "").replace(/[._/:](?=[\p{L}/]+[^<>]*<\/code>)/gu, "$&<wbr>");
      const render = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const href = token?.attrGet("href") ?? "";
        if (isOutside(href, env.relativePath ?? "")) {
          token?.attrSet("href", inRepository(href, env.relativePath ?? ""));
          return self.renderToken(tokens, index, options);
        }
        return render === undefined
          ? self.renderToken(tokens, index, options)
          : render(tokens, index, options, env, self);
      };
    },
  },
  vite: {
    // Images are files of their own: the policy of the page allows no other.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4_000 },
    // Pages lie outside this folder, and so outside its packages.
    plugins: [
      {
        name: "packages-of-the-site",
        enforce: "pre",
        async resolveId(source, importer, options) {
          if (!/^vue(\/|$)/.test(source) || importer === undefined || importer.startsWith(SITE)) return undefined;
          return this.resolve(source, join(SITE, "package.json"), { ...options, skipSelf: true });
        },
      },
    ],
    server: { fs: { allow: [DOCS, join(DOCS, "..")] } },
  },
  transformPageData(page) {
    if (page.relativePath !== "index.md") return;
    page.frontmatter = { ...page.frontmatter, ...home };
  },
  themeConfig: {
    search: { provider: "local", options: { detailedView: "auto" } },
    outline: { level: [2, 3], label: "On this page" },
    docFooter: { prev: "Before", next: "Next" },
    externalLinkIcon: true,
    nav: [
      { text: "Start", link: "/start/first-run", activeMatch: "/start/" },
      { text: "Concepts", link: "/concepts/money", activeMatch: "/concepts/" },
      { text: "Guides", link: "/guides/configuration", activeMatch: "/guides/" },
      { text: "Strategies", link: "/strategies/overview", activeMatch: "/strategies/" },
      { text: "Something is wrong", link: "/operate/now", activeMatch: "/operate/" },
      { text: "Reference", link: "/reference/commands", activeMatch: "/reference/" },
    ],
    sidebar: sections(DOCS).map(({ title, pages, isOpen }) => ({
      text: title,
      collapsed: !isOpen,
      items: pages.map((page) => ({ text: titleOf(DOCS, page), link: `/${page.replace(/\.md$/, "")}` })),
    })),
  },
});

function inRepository(href: string, from: string): string {
  const { homepage } = JSON.parse(readFileSync(join(DOCS, "../package.json"), "utf8"));
  const path = relative(join(DOCS, ".."), join(DOCS, from, "..", href.split("#")[0] ?? ""));
  return `${homepage.replace(/#.*/, "")}/blob/main/${path}`;
}

/** Leads out of docs/, to a file that is no page. */
function isOutside(href: string, from: string): boolean {
  if (/^[a-z]+:|^#/.test(href)) return false;
  const [path = ""] = href.split("#");
  const target = join(DOCS, from, "..", path);
  return (
    !target.startsWith(DOCS) || (!/\.(?:md|html)$|\/$/.test(path) && existsSync(target) && !/\.(?:png|svg)$/.test(path))
  );
}

const home = {
  layout: "home",
  hero: {
    name: "pegbot",
    text: "Trades stablecoins against their peg",
    tagline:
      "Fill-or-Kill orders over a signed API, one request a second. Each order is journaled before it leaves and sent at most once.",
    actions: [
      { theme: "brand", text: "A bot in ten minutes", link: "/start/first-run" },
      { theme: "alt", text: "Something is wrong now", link: "/operate/now" },
    ],
  },
  features: [
    {
      title: "Begin",
      details: "Seven short pages, from the first fill on paper to a go-live that is refused until it is right.",
      link: "/start/first-run",
    },
    {
      title: "Understand",
      details: "Money, slots, the life of an order, unknown outcomes, fair value, risk: a diagram each.",
      link: "/concepts/order",
    },
    {
      title: "Operate",
      details: "Every stop and every alert with its meaning and the command that leads out.",
      link: "/operate/stops",
    },
    {
      title: "Look up",
      details: "Commands, keys, limits, metrics, codes and the strategy's types, generated from the program.",
      link: "/reference/commands",
    },
  ],
};
