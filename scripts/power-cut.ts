// `npm run test:power-cut`: 50 power cuts of the bot unless PEGBOT_CUTS says otherwise; needs strace and root.

process.env.PEGBOT_CUTS ??= "50";
process.argv.splice(2, 0, "test/simulation/chaos/power-cut.test.ts");
await import("./campaigns.ts");
