import { en, type Words } from '../words/en.ts';
import { type Look, plainLook } from '../words/index.ts';
import type { Digest } from './digest.ts';
import { formatMeetingWhen } from './format-when.ts';
import { listFacts } from './people.ts';
import { plainText } from './plain-text.ts';
import { showTask } from './show-task.ts';
import type { DigestTask } from './tasks.ts';

/**
 * Renders the whole digest as plain text, for screen readers, notifications and text-only mail. The time is the meeting's
 * local time, or that of the given IANA zone.
 */
export function formatDigest(digest: Digest, link?: string, look: Look = plainLook): string {
  const { words } = look;
  const parts: readonly (readonly string[])[] = [
    [digest.title, writeFacts(digest, look)],
    [words.summary, plainText(digest.summary) || words.noSummary],
    ...(digest.decisions.length > 0 ? [[words.decisions, bulletLines(digest.decisions.map(plainText))]] : []),
    ...(digest.taskGroups.length > 0 ? [[words.tasks, formatTaskGroups(digest, words)]] : []),
    ...digest.sections.map(({ title, text }) => [title, plainText(text)]),
    ...(digest.isCut ? [[words.continuesInReport]] : []),
    ...(link === undefined ? [] : [[words.reportAt(link)]]),
  ];
  return parts.map((lines) => lines.filter((line) => line !== '').join('\n')).join('\n\n');
}

/** The line under a title: when, how long, who and where. Empty if all of it is unknown. */
export function writeFacts(digest: Digest, look: Look): string {
  const facts = [formatMeetingWhen(digest, look), ...listFacts(digest, look.words)];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function bulletLines(items: readonly string[]): string {
  return items.map((item) => `• ${item.replaceAll('\n', '\n  ')}`).join('\n');
}

function formatTaskGroups(digest: Digest, words: Words): string {
  return digest.taskGroups
    .map(({ owner, tasks }) => {
      const lines = tasks.map((task) => formatTask(task, words));
      return `${owner ?? words.noOwner}:\n${bulletLines(lines)}`;
    })
    .join('\n');
}

/** `Send the offer (due 2026-11-25)`, `☑ Send the offer`, or `~~Send the offer~~`. */
export function formatTask(task: DigestTask, words: Words = en): string {
  const text = task.state === 'done' ? `☑ ${plainText(task.text)}` : plainText(showTask(task));
  return task.due === undefined ? text : `${text}${words.due(words.day(task.due))}`;
}
