import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { createSeededRandom } from './create-seeded-random.ts';
import { noJournal, type Journal } from './state/journal.ts';
import { createKept } from './state/kept.ts';

/** Makes UUIDs (version 4): real ones, or the same sequence for the same seed. With a journal, the sequence goes on after a restart where it stood. */
export function createIdMaker(seed?: number, journal: Journal = noJournal): () => string {
  if (seed === undefined) return randomUUID;
  const random = createSeededRandom(seed);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const makeNext = (): string => `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
  const made = createKept(journal, 'ids', z.int().min(0), 0);
  for (let number = 0; number < made.read(); number += 1) makeNext();
  return () => {
    made.write(made.read() + 1);
    return makeNext();
  };
}
