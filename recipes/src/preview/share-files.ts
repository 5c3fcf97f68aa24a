import { resolve } from 'node:path';

import { choosePattern } from '../folder/choose-pattern.ts';
import { type ArchiveOptions, archiveOptions } from '../prebuilt/archive-export/archive-export.ts';
import type { ConfiguredRecipe } from '../recipe.ts';

/**
 * Whether two archives give their files the same names in the same folder, though there is something else in them: then
 * each replaces what the other has put there, and takes it for its own.
 */
export function shareFiles(one: ConfiguredRecipe, other: ConfiguredRecipe): boolean {
  const [first, second] = [readArchive(one), readArchive(other)];
  return (
    first !== undefined &&
    second !== undefined &&
    resolve(first.folder) === resolve(second.folder) &&
    first.format.some((format) => second.format.includes(format)) &&
    nameFiles(first) === nameFiles(second) &&
    describeContent(first) !== describeContent(second)
  );
}

function readArchive({ use, with: values }: ConfiguredRecipe): ArchiveOptions | undefined {
  return use === 'archive-export' ? archiveOptions.safeParse(values).data : undefined;
}

/** The pattern with all that it does not ask of the meeting; case is the same to some disks. */
function nameFiles(archive: ArchiveOptions): string {
  const pattern = choosePattern(archive)
    .replaceAll('{template}', archive.template ?? 'default')
    .toLowerCase();
  return pattern.includes('{time}') ? `${archive.timezone ?? ''} ${pattern}` : pattern;
}

function describeContent({ template, includeReport, includeTasks, timezone }: ArchiveOptions): string {
  return JSON.stringify([template, includeReport, includeTasks, timezone]);
}
