import { basename, join } from 'node:path';

import { z } from 'zod';

import type { Journal } from '../state/journal.ts';
import { hasFile, removeUnknownFiles } from './upload-folder.ts';
import { uploadFactsSchema, type StoredChunk, type UploadFacts } from './upload.ts';

/** A chunk as the journal has it: the folder may have moved since. */
const keptChunkSchema = z.object({ number: z.number(), file: z.string(), bytes: z.number() });

/** Uploads as the journal keeps them: each with a list of its chunks, which goes when it is complete. */
export interface UploadJournal {
  /** Of the next process: the uploads and those of their chunks whose files are whole. Other files are removed. */
  readonly load: (folder: string) => readonly LoadedUpload[];
  readonly put: (facts: UploadFacts) => void;
  readonly putChunk: (facts: UploadFacts, number: number, chunk: StoredChunk) => void;
  readonly dropChunks: (facts: UploadFacts) => void;
  readonly remove: (facts: UploadFacts) => void;
}

export interface LoadedUpload {
  readonly facts: UploadFacts;
  readonly chunks: ReadonlyMap<number, StoredChunk>;
}

const collection = 'uploads';

const nameChunks = ({ id, sessionId }: UploadFacts): string => `chunks of ${id} ${sessionId}`;

export function createUploadJournal(journal: Journal): UploadJournal {
  function loadChunks(facts: UploadFacts, folder: string): ReadonlyMap<number, StoredChunk> {
    const chunks = new Map<number, StoredChunk>();
    for (const { number, file, bytes } of journal.load(nameChunks(facts), keptChunkSchema)) {
      const path = join(folder, basename(file));
      if (hasFile(path, bytes)) chunks.set(number, { path, bytes });
    }
    return chunks;
  }

  return {
    load(folder) {
      const uploads = journal
        .load(collection, uploadFactsSchema)
        .map((facts) => ({ facts, chunks: loadChunks(facts, folder) }));
      const paths = uploads.flatMap(({ chunks }) => [...chunks.values()].map(({ path }) => path));
      removeUnknownFiles(folder, new Set(paths));
      return uploads;
    },
    put(facts) {
      journal.put(collection, facts.id, facts);
    },
    putChunk(facts, number, { path, bytes }) {
      journal.put(nameChunks(facts), String(number), { number, file: basename(path), bytes });
    },
    dropChunks(facts) {
      journal.clear(nameChunks(facts));
    },
    remove(facts) {
      journal.clear(nameChunks(facts));
      journal.remove(collection, facts.id);
    },
  };
}
