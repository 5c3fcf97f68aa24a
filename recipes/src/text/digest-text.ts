import { formatTask, type Digest } from '../digest.ts';
import { formatMeetingWhen } from './format-when.ts';
import { plainText } from './plain-text.ts';

/** What stands where a report has no summary. */
export const noSummaryText = 'The report has no summary.';

/** Where more is than what is shown. */
export const continuesText = 'This continues in the report.';

/**
 * The whole digest as plain text, sections too: what a screen reader, a notification or a text-only mail shows. Its time
 * is the meeting's own, or that of the given IANA zone.
 */
export function formatDigest(digest: Digest, link?: string, timeZone?: string): string {
  const facts = [formatMeetingWhen(digest, timeZone), ...digest.facts].filter((fact) => fact !== undefined);
  const parts: readonly (readonly string[])[] = [
    [digest.title, facts.join(' · ')],
    ['Summary', plainText(digest.summary) || noSummaryText],
    ...(digest.decisions.length > 0 ? [['Decisions', bulletLines(digest.decisions.map(plainText))]] : []),
    ...(digest.taskGroups.length > 0 ? [['Tasks', formatTaskGroups(digest)]] : []),
    ...digest.sections.map(({ title, text }) => [title, plainText(text)]),
    ...(digest.isCut ? [[continuesText]] : []),
    ...(link === undefined ? [] : [[`Report: ${link}`]]),
  ];
  return parts.map((lines) => lines.filter((line) => line !== '').join('\n')).join('\n\n');
}

function bulletLines(items: readonly string[]): string {
  return items.map((item) => `• ${item.replaceAll('\n', '\n  ')}`).join('\n');
}

function formatTaskGroups(digest: Digest): string {
  return digest.taskGroups
    .map(({ owner, tasks }) => `${owner ?? 'No owner'}:\n${bulletLines(tasks.map(formatTask))}`)
    .join('\n');
}
