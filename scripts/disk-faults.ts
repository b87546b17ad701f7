// `npm run test:disk-faults`: 30 lives of the bot on a disk that fails unless PEGBOT_DISK_FAULTS says otherwise; needs strace and root.

process.env.PEGBOT_DISK_FAULTS ??= "30";
process.argv.splice(2, 0, "test/simulation/chaos/disk-fault.test.ts");
await import("./campaigns.ts");
