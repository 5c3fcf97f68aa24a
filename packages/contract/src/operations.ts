import type { Operation } from './operation.ts';
import { fileExports } from './operations/file-exports.ts';
import { meetings } from './operations/meetings.ts';
import { recordings } from './operations/recordings.ts';
import { reports } from './operations/reports.ts';
import { tags } from './operations/tags.ts';
import { templates } from './operations/templates.ts';
import { uploads } from './operations/uploads.ts';

/** Every operation of the service: `operations.tags.attach` is the declaration of `tags.attach`. */
export const operations = {
  recordings,
  uploads,
  reports,
  templates,
  exports: fileExports,
  meetings,
  tags,
} as const satisfies Record<string, Record<string, Operation>>;

/** All operations in the order of the table. */
export function listOperations(): readonly Operation[] {
  return Object.values(operations).flatMap((resource): Operation[] => Object.values(resource));
}

type Table = typeof operations;

/** `recordings.start`, `tags.list` and so on: every id of the table. */
export type OperationId = {
  [Resource in keyof Table]: {
    [Verb in keyof Table[Resource]]: Table[Resource][Verb] extends { readonly id: infer Id } ? Id : never;
  }[keyof Table[Resource]];
}[keyof Table];
