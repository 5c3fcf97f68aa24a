import type { Destination } from '../../engine/destination.ts';
import { checkFolder, type FolderNeed } from './check.ts';
import { deleteFile, type FileOrder, openFolder } from './save-export.ts';

/** Exports of the report in folders that recipes name. */
export const folder: Destination<undefined, FileOrder, FolderNeed> = {
  name: 'folder',
  // The service writes an export while it is read.
  policy: { concurrency: 2, timeoutMs: 60_000 },
  maxTimeoutMs: 10 * 60_000,
  check: (_settings, needs) =>
    needs.map(async ({ recipe, need }) => [await checkFolder(`folder of ${recipe}`, need.folder)]),
  // The service writes the file, and the target names it.
  write: async () => '',
  recall: deleteFile,
  open: (_settings, { policy, service }) => openFolder(policy.timeoutMs, service),
};
