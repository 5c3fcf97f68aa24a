import { en, type Words } from '../words/en.ts';
import { type Look, plainLook } from '../words/index.ts';
import { arrangeDigest, type Arrangement, type MessagePart } from './arrange.ts';
import type { Digest } from './digest.ts';
import { formatMeetingWhen } from './format-when.ts';
import { listFacts } from './people.ts';
import { plainText } from './plain-text.ts';
import { showTask } from './show-task.ts';
import type { DigestTask, TaskGroup } from './tasks.ts';

/**
 * Renders the whole digest as plain text, for screen readers, notifications and text-only mail. The time is the meeting's
 * local time, or that of the given IANA zone.
 */
export function formatDigest(
  digest: Digest,
  link?: string,
  look: Look = plainLook,
  arrangement: Arrangement = {},
): string {
  const { words } = look;
  const { outcome, parts: shown } = arrangeDigest(digest, words, arrangement);
  const facts = writeFacts(digest, look);
  const parts: readonly (readonly string[])[] = [
    ...(outcome === undefined ? [[digest.title, facts]] : [[digest.title], [plainText(outcome)], [facts]]),
    ...shown.flatMap((part) => formatPart(part, words)),
    ...(digest.isCut ? [[words.continuesInReport]] : []),
    ...(link === undefined ? [] : [[words.reportAt(link)]]),
  ];
  return parts
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n\n');
}

function formatPart(part: MessagePart, words: Words): readonly (readonly string[])[] {
  switch (part.kind) {
    case 'summary':
      return [[part.title, plainText(part.text)]];
    case 'decisions':
      return [[part.title, bulletLines(part.decisions.map((tree) => plainText(tree)))]];
    case 'tasks':
      return [
        [
          part.title,
          part.isOwn ? formatTasks(part.groups, words).join('\n') : formatTaskGroups(part.groups, words),
        ],
      ];
    case 'more':
    default:
      return part.sections.map(({ title, text }) => [title, plainText(text)]);
  }
}

/** The line under a title: when, how long, who and where. Empty if all of it is unknown. */
export function writeFacts(digest: Digest, look: Look): string {
  const facts = [formatMeetingWhen(digest, look), ...listFacts(digest, look.words)];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function bulletLines(items: readonly string[]): string {
  return items.map((item) => `• ${item.replaceAll('\n', '\n  ')}`).join('\n');
}

function formatTaskGroups(groups: readonly TaskGroup[], words: Words): string {
  return groups
    .map((group) => [`${group.owner ?? words.noOwner}:`, ...formatTasks([group], words)].join('\n'))
    .join('\n');
}

function formatTasks(groups: readonly TaskGroup[], words: Words): readonly string[] {
  return groups.map(({ tasks }) => bulletLines(tasks.map((task) => formatTask(task, words))));
}

/** `Send the offer (due 2026-11-25)`, `☑ Send the offer`, or `~~Send the offer~~`. */
export function formatTask(task: DigestTask, words: Words = en): string {
  const text = task.state === 'done' ? `☑ ${plainText(task.text)}` : plainText(showTask(task));
  return task.due === undefined ? text : `${text}${words.due(words.day(task.due))}`;
}
