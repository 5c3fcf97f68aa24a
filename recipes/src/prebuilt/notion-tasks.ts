import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { NotionNeed } from '../destinations/notion/check.ts';
import {
  type FieldValues,
  notionLimits,
  type NotionPage,
  type PropertyMapping,
} from '../destinations/notion/page.ts';
import { isLinkUrl } from '../destinations/notion/rich-text.ts';
import { expandTarget } from '../engine/recipe.ts';
import { cutText, dropInvisible } from '../report/clean-text.ts';
import type { Digest } from '../report/digest.ts';
import { plainText } from '../report/plain-text.ts';
import { listOpenGroups } from '../report/show-task.ts';
import type { DigestTask, TaskGroup } from '../report/tasks.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { dataSourceOption, initialStatusOption, mappingOption } from './notion-options.ts';
import { fillLink, linkOption } from './shared-options.ts';

export const notionTasks = definePrebuiltRecipe({
  id: 'notion-tasks',
  description: 'Keeps one row for each task of a finished meeting in a Notion data source.',
  destination: 'notion',
  events: ['meeting.completed'],
  transcript: 'present',
  about: 'tasks',
  options: z.strictObject({
    dataSource: dataSourceOption.describe(
      'The id of the data source to put the rows in. A task that a later report does not have keeps its row, and the status of a row is never changed.',
    ),
    meetings: dataSourceOption
      .optional()
      .describe(
        "The id of the data source of the meetings' pages, for a property Meeting that is a relation: a row waits up to two minutes for its meeting's page. Default: the one that the property points into, without waiting.",
      ),
    meetingProperty: z
      .string({ error: 'the name of a property' })
      .min(1)
      .max(200)
      .optional()
      .describe(
        "The property by which the meeting's page is found there: the name that notion-page's option properties has for meetingId. Default: Meeting ID.",
      ),
    link: linkOption,
    properties: mappingOption('task'),
    initialStatus: initialStatusOption.describe(
      'The status of a new row; it is never changed afterwards. Default: what the data source sets.',
    ),
  }),
  needs: ({ dataSource, properties }) =>
    ({ dataSource, kind: 'task', mapping: properties }) satisfies NotionNeed,
  plan: (_event, _options, { notion }) => (notion === undefined ? [] : [{ target: expandTarget, part: 0 }]),
  present: ({ dataSource, link, properties, ...row }) => ({
    from: 'report',
    whyNoTarget: 'the report has no open tasks',
    expand: ({ taskGroups }, { target }) =>
      target === expandTarget
        ? listOpenGroups(taskGroups).flatMap(({ tasks }) =>
            tasks.map(({ key }) => ({ target: dataSource, part: 0, item: key })),
          )
        : [],
    render: (digest, { item }) => {
      const options = { ...row, link: fillLink(link, digest.meetingId), mapping: properties };
      const message = renderNotionTask(digest, item, options);
      if (message === undefined) return { skip: 'the report does not have this open task any more' };
      return { destination: 'notion', message };
    },
  }),
});

export interface NotionTaskOptions {
  readonly link?: string | undefined;
  readonly mapping?: PropertyMapping | undefined;
  readonly initialStatus?: string | undefined;
  readonly meetings?: string | undefined;
  readonly meetingProperty?: string | undefined;
}

/** One task as a row; undefined if the report does not have the task, or it has ended. Pure. */
export function renderNotionTask(
  digest: Digest,
  taskKey: string | undefined,
  options: NotionTaskOptions = {},
): NotionPage | undefined {
  for (const group of listOpenGroups(digest.taskGroups)) {
    const task = group.tasks.find(({ key }) => key === taskKey);
    if (task === undefined) continue;
    const { mapping = {}, meetings, meetingProperty } = options;
    return {
      kind: 'task',
      title: cutText(plainText(task.text).replaceAll(/\s+/g, ' '), notionLimits.text),
      fields: taskFields(digest, group, task, options),
      mapping,
      blocks: [],
      rowKey: deriveRowKey(digest, task),
      ...(meetings === undefined ? {} : { meetings }),
      ...(meetingProperty === undefined ? {} : { meetingProperty }),
    };
  }
  return undefined;
}

function taskFields(
  { meetingId, title, startedAt }: Digest,
  { owner, email, notion }: TaskGroup,
  { due, dueDate }: DigestTask,
  { link, initialStatus }: NotionTaskOptions,
): FieldValues {
  const words = due ?? dueDate;
  return {
    ...(owner === undefined
      ? {}
      : {
          owner: { kind: 'person', name: owner, id: notion, ...(email === undefined ? {} : { email }) },
          ownerName: { kind: 'text', text: owner },
        }),
    ...(words === undefined
      ? {}
      : { due: { kind: 'date', words, ...(dueDate === undefined ? {} : { start: dueDate }) } }),
    meeting: {
      kind: 'meeting',
      meetingId: dropInvisible(meetingId),
      title,
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(link === undefined || !isLinkUrl(link) ? {} : { url: link }),
    },
    ...(initialStatus === undefined ? {} : { status: { kind: 'text', text: initialStatus } }),
  };
}

/**
 * The key of the row: lowercase hex SHA-256 of meeting id, start (the meetings of a series share one id) and task. Never
 * change it: every row would be created again.
 */
function deriveRowKey({ meetingId, startedAt = '' }: Digest, { key }: DigestTask): string {
  return createHash('sha256')
    .update(JSON.stringify([meetingId, startedAt, key]), 'utf8')
    .digest('hex');
}
