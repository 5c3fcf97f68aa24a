import { z } from 'zod';

import { DataFolderError } from '../state/data-folder-error.ts';
import type { Journal } from '../state/journal.ts';
import { createKept } from '../state/kept.ts';
import type { KeptOffset } from './sandbox-clock.ts';

/** The clock's offset in the data folder: a later process goes on at the time to which this one was moved. */
export function keepOffset(journal: Journal): KeptOffset {
  const { read, write } = createKept(journal, 'clock', z.number(), 0);
  return {
    read,
    write(offsetMs) {
      try {
        write(offsetMs);
      } catch (error) {
        // Nobody could be told here that the disk is full; the clock tries again when it has moved on.
        if (!(error instanceof DataFolderError)) throw error;
      }
    },
  };
}
