import { formatTask, type Digest } from '../digest.ts';
import { formatWhen } from './format-when.ts';

/** What stands where a report has no summary. */
export const noSummaryText = 'The report has no summary.';

/** Where more is than what is shown. */
export const continuesText = 'This continues in the report.';

/** The whole digest as plain text: what a screen reader, a notification or a text-only mail shows. */
export function formatDigest(digest: Digest, link?: string): string {
  const when = digest.startedAt === undefined ? undefined : formatWhen(digest.startedAt);
  const sections = [
    [digest.title, [when, ...digest.facts].filter((fact) => fact !== undefined).join(' · ')],
    ['Summary', digest.summary || noSummaryText],
    ...(digest.decisions.length > 0 ? [['Decisions', bulletLines(digest.decisions)]] : []),
    ...(digest.taskGroups.length > 0 ? [['Tasks', formatTaskGroups(digest)]] : []),
    ...(digest.isCut ? [[continuesText]] : []),
    ...(link === undefined ? [] : [[`Report: ${link}`]]),
  ];
  return sections.map((lines) => lines.filter((line) => line !== '').join('\n')).join('\n\n');
}

function bulletLines(items: readonly string[]): string {
  return items.map((item) => `• ${item.replaceAll('\n', '\n  ')}`).join('\n');
}

function formatTaskGroups(digest: Digest): string {
  return digest.taskGroups
    .map(({ owner, tasks }) => `${owner ?? 'No owner'}:\n${bulletLines(tasks.map(formatTask))}`)
    .join('\n');
}
