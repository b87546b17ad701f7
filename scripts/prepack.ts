// npm asks it before it packs the checkout: what would come out holds the sources and all tests, and does not run.

process.stderr.write("a checkout is not packed as it is: npm run build, then npm pack ./dist\n");
process.exitCode = 1;
