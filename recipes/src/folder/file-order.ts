import type { ExportInput } from '@aftermeet/client';

/** One export of a meeting, to be put into a folder. */
export interface FileOrder {
  /** What the service is asked for. */
  readonly input: ExportInput;
  /** Absolute, or seen from where the worker runs. */
  readonly folder: string;
  /** A bare file name with its ending: the same for the same meeting, and no other meeting's. */
  readonly name: string;
  /** Changes with the report: the file itself is not known before it is fetched. Lowercase hex. */
  readonly edition: string;
  /** Names of tags that the meeting gets once the file is there. */
  readonly tags: readonly string[];
  /** Tags that the workspace does not have are made. */
  readonly mayCreateTags: boolean;
}
