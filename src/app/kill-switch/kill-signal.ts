// SIGUSR2 is a person's stop. Without a listener it would end the process, so it is heard from the first moment on, and
// what came before there was a switch to set is handed over when there is one.

const SIGNAL = "SIGUSR2";

export interface KillSignal {
  /** From now on each signal calls this at once; one that came before calls it now. */
  arm(kill: (reason: string, by: string) => void): void;
  close(): void;
}

export function hearKillSignal(): KillSignal {
  let act: ((reason: string, by: string) => void) | undefined;
  let early = false;
  const hear = (): void => {
    early ||= act === undefined;
    act?.(`${SIGNAL} was received`, SIGNAL);
  };
  process.on(SIGNAL, hear);
  return {
    arm(kill) {
      act = kill;
      if (early) hear();
      early = false;
    },
    close: () => void process.off(SIGNAL, hear),
  };
}
