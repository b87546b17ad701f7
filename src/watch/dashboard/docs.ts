// The documentation at /docs/: the built site, or each page's own text where no site was built. Only a file that the listing of its
// folder has is read, so that no address leads out of it.

import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import type { Reply } from "./reply.ts";

const SITE = new URL("../../../site/dist/", import.meta.url);
const PAGES = new URL("../../../docs/", import.meta.url);
const HTML = "text/html; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  ".html": HTML,
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** The answer to an address below /docs/; undefined for every other one. */
export function docsOf(site = SITE, pages = PAGES): (path: string) => Reply | undefined {
  let listed = { builtAt: -1, folder: pages, names: new Set<string>() };
  return (path) => {
    const builtAt = statSync(new URL("index.html", site), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // Listed again after another build.
    if (builtAt !== listed.builtAt) {
      const folder = builtAt > 0 ? site : pages;
      const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
      listed = { builtAt, folder, names: new Set(names.filter((name) => TYPES[extname(name)] !== undefined)) };
    }
    return replyTo(path, builtAt > 0, listed);
  };
}

type Listed = { readonly folder: URL; readonly names: ReadonlySet<string> };

function replyTo(path: string, isBuilt: boolean, { folder, names }: Listed): Reply | undefined {
  const [, asked] = /^\/docs(?:\/(.*))?$/.exec(path) ?? [undefined, path === "/docs" ? "" : undefined];
  if (asked === undefined) return undefined;
  const page = asked.replace(/\.html$/, "") || (isBuilt ? "index" : "README");
  const found = [asked, `${page}.html`, `${page}.md`].find((name) => names.has(name));
  if (found === undefined && !isBuilt) return { status: 404, type: HTML, text: shown("", "") };
  const name = found ?? "404.html";
  const bytes = readFileSync(new URL(name, folder));
  if (name.endsWith(".md") && !isBuilt) return { status: 200, type: HTML, text: shown(name, bytes.toString()) };
  const type = TYPES[extname(name)] ?? "";
  const headers = type === HTML ? { "content-security-policy": policyOf(bytes.toString()) } : {};
  return { status: found === undefined ? 404 : 200, type, text: bytes, headers };
}

/** The site's inline scripts, by their hashes, and its own files. Highlighted code needs style attributes. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)];
  const hashes = inline.map(([, text = ""]) => `'sha256-${hash("sha256", text, "base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A page as it stands, with a place for each heading, where alerts lead. */
function shown(name: string, markdown: string): string {
  const text = markdown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const placed = text.replaceAll(/^#+ (.+)$/gm, (line, title: string) => {
    const id = title.toLowerCase().replaceAll(/[^\w\- ]/g, "");
    return `<b id="${id.replaceAll(" ", "-")}">${line}</b>`;
  });
  const hint = `The documentation is not built here: npm run site builds it. ${name === "" ? "There is no such page." : `This is docs/${name} as it stands.`}`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>pegbot: documentation</title><pre>${hint}\n\n${placed}</pre></html>`;
}
