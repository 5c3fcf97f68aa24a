import type { Acceptance } from './inbox-store.ts';
import { encodeJobText } from './job-data-codec.ts';
import { toSafeId } from './safe-id.ts';

/** A delivery in the form in which both stores write it. */
export interface InboxEntry {
  readonly jobId: string;
  /** JSON text. */
  readonly data: string;
  readonly keepMs: number;
  /** Empty when its sender gave it no name. */
  readonly announcedAs: string;
}

/** No store counts further than this into the future without trouble. */
const LONGEST_KEPT_MS = 365 * 24 * 60 * 60 * 1000;

/** What every store takes in a key as it is. */
const plainName = /^[\x21-\x7e]{1,300}$/;

export function toInboxEntry({ jobId, job, keepSeconds, announcedAs }: Acceptance): InboxEntry {
  return {
    jobId: toSafeId(jobId),
    data: encodeJobText(job),
    keepMs: Math.min(LONGEST_KEPT_MS, Math.max(1, Math.ceil(keepSeconds * 1000))),
    announcedAs:
      announcedAs === undefined || plainName.test(announcedAs) ? (announcedAs ?? '') : toSafeId(announcedAs),
  };
}

/** What an entry weighs in a group and while it waits, in bytes. */
export function sizeOfEntry({ data }: InboxEntry): number {
  return Buffer.byteLength(data);
}
