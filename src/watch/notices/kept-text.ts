// A text that one process keeps for the next one.

export type KeptText = { load(): string | undefined; save(text: string): void };
