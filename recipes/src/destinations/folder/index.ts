import type { Destination } from '../../engine/destination.ts';
import { type FileOrder, openFolder } from './save-export.ts';

/** Exports of the report in folders that recipes name. */
export const folder: Destination<undefined, FileOrder> = {
  name: 'folder',
  // The service writes an export while it is read.
  policy: { concurrency: 2, timeoutMs: 60_000 },
  open: (_settings, { policy, service }) => openFolder(policy.timeoutMs, service),
};
