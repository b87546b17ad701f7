// The headings of --help, in one place so that commands of one kind stand together.

export const group = {
  trading: "Trading:",
  treasury: "Treasury:",
  setup: "Set-up:",
  venue: "Venue:",
  research: "Research:",
} as const;
