// The command line, as far as it exists.
process.stdout.write("pegbot\n");
