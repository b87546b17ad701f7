// What people were told last, in small files beside the journal, so that the next process goes on from there: where the last daily
// summary ended, for which declined plans a message went out, and what the venue held by the last one.

import type { KeptText } from "../../watch/notices/kept-text.ts";
import { readSmall, writeDurably } from "../kill-switch/durable-text.ts";

type Say = (text: string) => void;

export function summaryPath(journalPath: string): string {
  return `${journalPath}.summary`;
}

/** What cannot be read or written costs the next summary its beginning, and nothing else. */
export function summaryMemory(journalPath: string, say: Say): KeptText {
  const path = summaryPath(journalPath);
  return keptAt(path, {
    unread: (why) => say(`${path} cannot be read, the next summary begins now: ${why}`),
    unwritten: (why) => say(`${path} cannot be written, after a restart a summary begins there: ${why}`),
  });
}

/** What cannot be read or written costs a message that comes twice. */
export function declineMemory(journalPath: string, say: Say): KeptText {
  const path = `${journalPath}.declined`;
  return keptAt(path, {
    unread: (why) => say(`${path} cannot be read, a plan that was declined may be told twice: ${why}`),
    unwritten: (why) =>
      say(`${path} cannot be written, after a restart a plan that was declined may be told twice: ${why}`),
  });
}

/** What cannot be read or written costs the message that something is held no longer. */
export function heldMemory(journalPath: string, chainId: string, say: Say): KeptText {
  const path = `${journalPath}.held`;
  const lost = "nobody is told of what the venue let go while no bot ran";
  const kept = keptAt(path, {
    unread: (why) => say(`${path} cannot be read, ${lost}: ${why}`),
    unwritten: (why) => say(`${path} cannot be written, after a restart ${lost}: ${why}`),
  });
  return ofChain(kept, chainId);
}

/** A journal that took the place of another knows nothing of what that one had told: its first line says whose the text is. */
function ofChain(kept: KeptText, chainId: string): KeptText {
  const head = `${chainId}\n`;
  return {
    load() {
      const text = kept.load();
      return text?.startsWith(head) ? text.slice(head.length) : undefined;
    },
    save: (text) => kept.save(`${head}${text}`),
  };
}

function keptAt(path: string, failed: { readonly unread: Say; readonly unwritten: Say }): KeptText {
  return {
    load() {
      const read = readSmall(path);
      if (!read.ok) failed.unread(read.error);
      return read.ok ? read.value : undefined;
    },
    save(text) {
      try {
        writeDurably(path, `${text}\n`);
      } catch (error) {
        failed.unwritten(String(error));
      }
    },
  };
}
