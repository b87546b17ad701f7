import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { docsOf } from "../../../src/watch/dashboard/docs.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const url = (path: string) => pathToFileURL(`${join(folder, path)}/`);

put("secret.md", "secret");
put("docs/README.md", "# Documentation");
put("docs/operate/alerts.md", "# Every alert\n\n### PegbotDown\n\n<b> & more");

describe("without a built site", () => {
  const docs = docsOf(url("none"), url("docs"));

  test("the first page says what builds it, and an alert's page is shown as text with a place for each heading", () => {
    expect(docs("/docs/")).toMatchObject({ status: 200, text: expect.stringContaining("npm run site") });
    const { text, headers } = docs("/docs/operate/alerts") ?? {};
    expect(text).toContain('<b id="pegbotdown">### PegbotDown</b>');
    expect(text).toContain("&lt;b> &amp; more");
    expect(headers).toBeUndefined();
    expect(docs("/docs/operate/none")?.status).toBe(404);
  });
});

describe("a built site", () => {
  const docs = docsOf(url("site"), url("docs"));
  put("site/index.html", "<script>one()</script><script src=x></script>");
  put("site/operate/alerts.html", "alerts");
  put("site/404.html", "none");
  put("site/assets/a.js", "js");
  put("site/hashmap.json", "{}");

  test("is served with the type of each file, pages without their ending", () => {
    expect(docs("/docs/operate/alerts")).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(docs("/docs/operate/alerts.html")?.status).toBe(200);
    expect(docs("/docs/assets/a.js")).toMatchObject({ status: 200, type: "text/javascript; charset=utf-8" });
    expect(docs("/docs/hashmap.json")?.status).toBe(404);
    expect([docs("/"), docs("/docsx"), docs("/data")]).toEqual([undefined, undefined, undefined]);
  });

  test("runs its own inline scripts, by their hashes, and no other", () => {
    const policy = docs("/docs/")?.headers?.["content-security-policy"] ?? "";
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
    expect(policy).toContain("default-src 'none'");
  });

  test.each([
    "../secret.md",
    "..%2fsecret.md",
    "assets/../../secret.md",
    "/etc/passwd",
    "//x/secret.md",
    "..\\secret.md",
  ])("has nothing at %s", (path) => expect(docs(`/docs/${path}`)?.status).toBe(404));
});
