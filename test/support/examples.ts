// The shell examples of a page. A fence marked `sh run` is run as it stands, as one script; each line of `sh start` is
// started, has to say something, and is stopped if it goes on; other fences are only read by people.

export type Example = { readonly mode: "run" | "start"; readonly text: string; readonly line: number };

export function examplesOf(markdown: string): readonly Example[] {
  const fences = markdown.matchAll(/^```sh (run|start)\n(.*?)^```$/gms);
  return [...fences].map((fence) => ({
    mode: fence[1] === "run" ? "run" : "start",
    text: fence[2] ?? "",
    line: markdown.slice(0, fence.index).split("\n").length + 1,
  }));
}

/** The commands of a block without comments, and without installing and testing, which are how we came here. */
export function commandsOf({ text }: Example): readonly string[] {
  const commands = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, "").trim());
  return commands.map((line) => line.replace(/^npm ci && /, "")).filter((line) => line !== "" && line !== "npm test");
}

/** A fence: its language, what follows on that line, its text. */
export type Block = { readonly kind: string; readonly more: string; readonly text: string; readonly line: number };

export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\S+)(?: ([^\n]*))?\n(.*?)^```$/gms)].map((match) => ({
    kind: match[1] ?? "",
    more: match[2] ?? "",
    text: match[3] ?? "",
    line: markdown.slice(0, match.index).split("\n").length + 1,
  }));
}
