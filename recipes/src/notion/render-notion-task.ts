import { createHash } from 'node:crypto';

import type { Digest, DigestTask, TaskGroup } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { FieldValues } from './notion-fields.ts';
import { notionLimits, type NotionPage, type PropertyMapping } from './notion-page.ts';
import { isTakenUrl } from './rich-text.ts';

export interface NotionTaskOptions {
  readonly link?: string | undefined;
  readonly mapping?: PropertyMapping | undefined;
  /** The status of a row that is new. */
  readonly initialStatus?: string | undefined;
  /** The data source of the meetings' pages. */
  readonly meetings?: string | undefined;
  /** The property there that holds the meeting's id. */
  readonly meetingProperty?: string | undefined;
}

/** One task as a row of a data source; nothing when the report does not have it. Pure. */
export function renderNotionTask(
  digest: Digest,
  taskKey: string | undefined,
  options: NotionTaskOptions = {},
): NotionPage | undefined {
  for (const group of digest.taskGroups) {
    const task = group.tasks.find(({ key }) => key === taskKey);
    if (task === undefined) continue;
    const { mapping = {}, meetings, meetingProperty } = options;
    return {
      kind: 'task',
      title: cutText(plainText(task.text).replaceAll(/\s+/g, ' '), notionLimits.text),
      fields: listTaskFields(digest, group, task, options),
      mapping,
      blocks: [],
      rowKey: deriveRowKey(digest, task),
      ...(meetings === undefined ? {} : { meetings }),
      ...(meetingProperty === undefined ? {} : { meetingProperty }),
    };
  }
  return undefined;
}

function listTaskFields(
  { meetingId, title, startedAt }: Digest,
  { owner, email }: TaskGroup,
  { due, dueDate }: DigestTask,
  { link, initialStatus }: NotionTaskOptions,
): FieldValues {
  const words = due ?? dueDate;
  return {
    ...(owner === undefined
      ? {}
      : { owner: { kind: 'person', name: owner, ...(email === undefined ? {} : { email }) } }),
    ...(words === undefined
      ? {}
      : { due: { kind: 'date', words, ...(dueDate === undefined ? {} : { start: dueDate }) } }),
    meeting: {
      kind: 'meeting',
      meetingId,
      title,
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(link === undefined || !isTakenUrl(link) ? {} : { url: link }),
    },
    ...(initialStatus === undefined ? {} : { status: { kind: 'text', text: initialStatus } }),
  };
}

/**
 * By which the row is found: lowercase hex SHA-256 of meeting, its start (a series shares one id) and task. Never change
 * it: every row would be made again.
 */
function deriveRowKey({ meetingId, startedAt = '' }: Digest, { key }: DigestTask): string {
  return createHash('sha256')
    .update(JSON.stringify([meetingId, startedAt, key]), 'utf8')
    .digest('hex');
}
