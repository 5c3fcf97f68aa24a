import type { Digest } from './digest.ts';
import { formatMeetingWhen } from './format-when.ts';
import { plainText } from './plain-text.ts';
import { showTask } from './show-task.ts';
import type { DigestTask } from './tasks.ts';

/** Shown in place of a missing summary. */
export const noSummaryText = 'The report has no summary.';

/** Shown when a message is cut. */
export const continuesText = 'This continues in the report.';

/**
 * Renders the whole digest as plain text, for screen readers, notifications and text-only mail. The time is the meeting's
 * local time, or that of the given IANA zone.
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

/** `Send the offer (due 2026-11-25)`, `☑ Send the offer`, or `~~Send the offer~~`. */
export function formatTask(task: DigestTask): string {
  const text = task.state === 'done' ? `☑ ${plainText(task.text)}` : plainText(showTask(task));
  return task.due === undefined ? text : `${text} (due ${task.due})`;
}
