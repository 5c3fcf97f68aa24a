import { z } from 'zod';

import { type SharedStore, changeRecord } from './store/shared-store.ts';
import { hashText } from './store/store-tools.ts';

/** Whether an alert is sent now, or is one of too many. */
export type AlertAdmission =
  /** `suppressed`: how many of its kind were not sent since the last one. */
  | { readonly kind: 'go'; readonly suppressed: number }
  | { readonly kind: 'suppressed'; readonly sinceMs: number };

/** Keeps alerts of one kind apart, whichever worker raises them. */
export interface AlertThrottle {
  /** Asked again for the same effect it answers the same. */
  admit(
    alert: {
      readonly recipe: string;
      readonly eventKind: string;
      /**
       * What it is about, if its kind is about several things: the recipe and the meeting whose effect has failed. An alert
       * about one of them keeps back the next one about either.
       */
      readonly about?: readonly string[];
      /** Who gets it: each of several people does. */
      readonly target: string;
      readonly effectKey: string;
      readonly cooldownMs: number;
    },
    nowMs: number,
  ): Promise<AlertAdmission>;
}

/** Lets every alert go: for where nothing is sent, or nothing is shared. */
export const noAlertThrottle: AlertThrottle = { admit: async () => ({ kind: 'go', suppressed: 0 }) };

/** An effect may be tried for days, and has to hear the same all the time. */
const keepMs = 7 * 24 * 60 * 60 * 1000;
/** Of so many that were held back the answers are remembered; the count goes on beyond. */
const MAX_HELD = 300;
/** Those that went are remembered apart: one that waits for its destination must not be pushed out by those it silences. */
const MAX_GONE = 20;

/** Of so many things it is remembered when an alert about them went. */
const MAX_TOLD = 200;

const noteSchema = z.object({
  /** What alerts went about and when, the oldest first. */
  told: z.array(z.tuple([z.string(), z.number()])),
  /** How many were not sent since the last one that went. */
  suppressed: z.number(),
  /** The alerts that went, the oldest first, and how many suppressed ones each counted. */
  gone: z.array(z.tuple([z.string(), z.number()])),
  /** Those that did not, the oldest first, and when the one went that each came after. */
  held: z.array(z.tuple([z.string(), z.number()])),
});
type Note = z.output<typeof noteSchema>;

/** The last alert of each kind is noted in the store that all workers share. Times are milliseconds since 1970. */
export function createAlertThrottle(shared: Pick<SharedStore, 'swap'>): AlertThrottle {
  return {
    async admit({ recipe, eventKind, about = [''], target, effectKey, cooldownMs }, nowMs) {
      const name = `alert-gate:${hashText(JSON.stringify([recipe, eventKind, target])).slice(0, 32)}`;
      const mark = effectKey.slice(0, 20);
      const record = { name, schema: noteSchema, keepMs: keepMs + cooldownMs };
      const think = (note: Note | undefined) => {
        const before = note && recall(note, mark);
        return before === undefined ? decide(note, { mark, about, cooldownMs, nowMs }) : { answer: before };
      };
      const { answer } = await changeRecord(shared, record, think, nowMs);
      return answer;
    },
  };
}

function recall({ gone, held }: Note, mark: string): AlertAdmission | undefined {
  const went = gone.find(([one]) => one === mark);
  if (went !== undefined) return { kind: 'go', suppressed: went[1] };
  const waited = held.find(([one]) => one === mark);
  return waited && { kind: 'suppressed', sinceMs: waited[1] };
}

interface Asked {
  readonly mark: string;
  readonly about: readonly string[];
  readonly cooldownMs: number;
  readonly nowMs: number;
}

function decide(
  note: Note | undefined,
  { mark, about, cooldownMs, nowMs }: Asked,
): { readonly answer: AlertAdmission; readonly next: Note } {
  const { gone, held, suppressed, told } = note ?? { gone: [], held: [], suppressed: 0, told: [] };
  // The clocks of two workers may differ a little; one that was wrong by days must not silence everybody.
  const recent = told.filter(([, atMs]) => Math.abs(nowMs - atMs) < cooldownMs);
  const last = recent.findLast(([thing]) => about.includes(thing));
  if (last !== undefined) {
    const sinceMs = last[1];
    const next = [...held.slice(1 - MAX_HELD), [mark, sinceMs] satisfies Note['held'][number]];
    return {
      answer: { kind: 'suppressed', sinceMs },
      next: { told: recent, suppressed: suppressed + 1, gone, held: next },
    };
  }
  const next = [...gone.slice(1 - MAX_GONE), [mark, suppressed] satisfies Note['gone'][number]];
  const now = about.map((thing): Note['told'][number] => [thing, nowMs]);
  return {
    answer: { kind: 'go', suppressed },
    next: { told: [...recent, ...now].slice(-MAX_TOLD), suppressed: 0, gone: next, held },
  };
}
