/** What tells the files of one archive from those of another. */
interface ArchiveContent {
  /** A pattern of somebody's own: it is taken as it is. */
  readonly name?: string | undefined;
  readonly template?: string | undefined;
  readonly includeReport?: boolean | undefined;
  readonly includeTasks?: boolean | undefined;
}

/**
 * How the files of an archive are called. Without a name of its own it tells what is in them, so that two archives in
 * one folder do not replace each other's files.
 */
export function choosePattern({ name, template, includeReport, includeTasks }: ArchiveContent): string {
  if (name !== undefined) return name;
  const told = [tellPart('report', includeReport), tellPart('tasks', includeTasks)].join('');
  return `{date}_{time}_{title}_{id}${template === undefined ? '' : '_{template}'}${told}`;
}

function tellPart(part: string, isIncluded: boolean | undefined): string {
  if (isIncluded === undefined) return '';
  return isIncluded ? `_with-${part}` : `_without-${part}`;
}
