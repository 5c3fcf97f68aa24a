import { setTimeout as sleep } from 'node:timers/promises';

import { notionErrors } from './notion-error-codes.ts';
import type { NotionKnobs } from './notion-knobs.ts';
import type { NotionRefusal } from './notion-refusal.ts';

/** Does writes into the same place one after the other, or refuses the second as Notion does. */
export interface WriteTurns {
  readonly take: <Outcome>(
    place: string,
    knobs: NotionKnobs,
    write: () => Outcome,
  ) => Promise<Outcome | NotionRefusal>;
}

export function createWriteTurns(): WriteTurns {
  const running = new Map<string, Promise<unknown>>();
  return {
    async take(place, { concurrent_writes: rule, write_ms: ms }, write) {
      const before = running.get(place);
      if (before !== undefined && rule === 'conflict') {
        return { refused: true, code: 'conflict_error', ...notionErrors.conflict_error };
      }
      const turn = (async () => {
        await before;
        if (ms > 0) await sleep(ms);
        return write();
      })();
      const settled = turn.catch(() => {});
      running.set(place, settled);
      try {
        return await turn;
      } finally {
        if (running.get(place) === settled) running.delete(place);
      }
    },
  };
}
