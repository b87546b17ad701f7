// `npm run test:chaos-long`: the chaos campaigns at full length, 500 kills of the bot unless PEGBOT_KILLS says otherwise.

process.env.PEGBOT_KILLS ??= "500";
process.argv.splice(2, 0, "test/simulation/chaos/chaos.test.ts");
await import("./campaigns.ts");
