// Stands in for the types of the optional package ccxt, which need not be installed.

declare module "ccxt";
