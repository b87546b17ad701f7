// Keys of the configuration that went, and what replaces them.

/** By dotted path, list places left out. */
export const GONE: Readonly<Record<string, string>> = {
  "notices.email": "let Alertmanager send e-mail (ops/alertmanager.yml)",
  "notices.summaryAt": "pegbot status and the page show the day; a daily message is a cron line with pegbot status",
};
