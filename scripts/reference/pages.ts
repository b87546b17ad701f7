// The pages that the program writes about itself, by path.

import { apiPage } from "./api.ts";
import { codesPage } from "./codes.ts";
import { commandsPage } from "./commands.ts";
import { configurationPage } from "./configuration.ts";
import { figuresPage } from "./figures.ts";
import { limitsPage } from "./limits.ts";
import { metricsPage } from "./metrics.ts";
import { strategyPage } from "./strategy.ts";

export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const pages = {
    api: apiPage(),
    codes: codesPage(),
    commands: await commandsPage(),
    configuration: configurationPage(),
    figures: figuresPage(),
    limits: limitsPage(),
    metrics: metricsPage(),
    strategy: strategyPage(),
  };
  return new Map(
    Object.entries(pages).map(([name, text]) => {
      const [title = "", ...rest] = text.split("\n");
      return [
        `docs/reference/${name}.md`,
        `${title}\n\n<!-- Written by npm run reference. -->\n${rest.join("\n").trimEnd()}\n`,
      ];
    }),
  );
}
