import { z } from 'zod';

import { noJournal, type Journal } from '../state/journal.ts';
import { createKept } from '../state/kept.ts';
import type { KnobChanges, Knobs } from './knobs.ts';
import { readKnobs } from './read-knobs.ts';

/** The knobs of one sandbox, as they are turned now. */
export interface KnobStore {
  readonly read: () => Knobs;
  /** Turns some of them; the others stay. Throws `RangeError` for an unknown knob and for a value that it cannot have, and turns none then. */
  readonly turn: (changes: KnobChanges) => void;
  /** Back to how the sandbox was started. */
  readonly reset: () => void;
}

/** What an earlier process turned; what it was started with is no part of it. */
const turnedSchema = z
  .record(z.string(), z.unknown())
  .refine((turned) => readKnobs(turned).ok, { error: 'holds a knob that this release does not have' });

/** Throws `RangeError` as `turn` does, and `DataFolderError` when the journal holds what no knob can have. */
export function createKnobStore(initial: KnobChanges = {}, journal: Journal = noJournal): KnobStore {
  mustRead(initial);
  const turned = createKept(journal, 'knobs', turnedSchema, {});
  let knobs = mustRead({ ...initial, ...turned.read() });
  return {
    read: () => knobs,
    turn(changes) {
      const next = mustRead({ ...knobs, ...changes });
      const names = new Set([...Object.keys(turned.read()), ...Object.keys(changes)]);
      turned.write(Object.fromEntries(Object.entries(next).filter(([name]) => names.has(name))));
      knobs = next;
    },
    reset() {
      turned.reset();
      knobs = mustRead(initial);
    },
  };
}

function mustRead(written: Readonly<Record<string, unknown>>): Knobs {
  const reading = readKnobs(written);
  if (!reading.ok) throw new RangeError(reading.message);
  return reading.knobs;
}
