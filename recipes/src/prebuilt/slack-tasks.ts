import { z } from 'zod';

import { type PlannedEffect, type ReportInput, expandTarget } from '../engine/recipe.ts';
import { hashText } from '../engine/store/store-tools.ts';
import { cutText } from '../report/clean-text.ts';
import type { Digest, TaskGroup } from '../report/digest.ts';
import { normalizeName } from '../report/people.ts';
import { listOpenGroups } from '../report/show-task.ts';
import { makeOwnerKey } from '../report/tasks.ts';
import { composeMessage, contextBlocks, headerBlock, linkButton } from '../slack/blocks.ts';
import { slackChannelId, slackLimits, type SlackMessage, type SlackPerson } from '../slack/message.ts';
import { taskLine } from '../slack/render-recap.ts';
import { textLeaf, toBullets } from '../slack/rich-text.ts';
import { splitFlow } from '../slack/split-flow.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { fillLink, linkOption } from './shared-options.ts';

const memberError = { error: 'the id of a member, such as U0123456789' };

const options = z.strictObject({
  people: z
    .record(z.string().trim(), z.string(memberError).regex(/^[UW][A-Z0-9]{2,}$/, memberError))
    .refine((people) => !Object.hasOwn(people, ''), { error: 'a name or an address before each id' })
    .refine(hasUniqueNames, { error: 'each name or address once' })
    .default({})
    .describe(
      "Who owners are in Slack: names or addresses, each with a member's id, such as Ann Lee: U0123456789. Default: an owner is found by the address in the report (the app needs the scope users:read.email). Guests are found only here.",
    ),
  fallback: z
    .string({ error: 'the id of a channel, such as C0123456789' })
    .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789, not its name' })
    .optional()
    .describe(
      'The id of the channel that gets tasks without an owner, and tasks whose owner is not a member of the workspace. Default: they are not sent.',
    ),
  link: linkOption,
});

type Options = z.output<typeof options>;

export const slackTasks = definePrebuiltRecipe({
  id: 'slack-tasks',
  description: 'Sends each owner their tasks of a finished meeting in Slack.',
  destination: 'slack',
  events: ['meeting.completed'],
  transcript: 'present',
  tells: 'tasks',
  options,
  plan: (_event, _options, { slack }) => (slack === undefined ? [] : [{ target: expandTarget, part: 0 }]),
  present: presentTasks,
});

/** Item of the effect for tasks without an owner. */
const unowned = 'unowned';

function presentTasks(settings: Options): ReportInput {
  const people = new Map(
    Object.entries(settings.people).map(([name, id]) => [normalizeName(name), id] as const),
  );
  return {
    from: 'report',
    whyNoTarget: 'the report has no open task whose owner can be reached',
    expand: (digest, { target }) =>
      target === expandTarget
        ? listOpenGroups(digest.taskGroups).flatMap((group) => planGroup(group, people, settings.fallback))
        : [],
    render(digest, effect) {
      const group = listOpenGroups(digest.taskGroups).find((one) =>
        planGroup(one, people, settings.fallback).some(
          ({ target, item }) => target === effect.target && item === effect.item,
        ),
      );
      if (group === undefined) return { skip: 'the report has no open task for this owner any more' };
      return { destination: 'slack', message: tasksMessage(digest, group, people, settings) };
    },
  };
}

/** A target holds no name and no address: operators see it. */
function planGroup(
  group: TaskGroup,
  people: ReadonlyMap<string, string>,
  fallback: string | undefined,
): readonly PlannedEffect[] {
  if (group.tasks.length === 0) return [];
  if (group.owner === undefined) {
    return fallback === undefined ? [] : [{ target: fallback, part: 0, item: unowned }];
  }
  const isReachable =
    fallback !== undefined || group.email !== undefined || findMember(group, people) !== undefined;
  if (!isReachable) return [];
  return [{ target: `person:${hashText(makeOwnerKey(group)).slice(0, 16)}`, part: 0 }];
}

function tasksMessage(
  digest: Digest,
  group: TaskGroup,
  people: ReadonlyMap<string, string>,
  { link, fallback }: Options,
): SlackMessage {
  const { owner, email } = group;
  const url = fillLink(link, digest.meetingId);
  const title = owner === undefined ? 'Tasks without an owner' : `Tasks of ${cutText(owner, maxOwner)}`;
  const forChannel = renderTasks(digest, group, title, url);
  if (owner === undefined) return forChannel;
  const userId = findMember(group, people);
  const person: SlackPerson = {
    ...(userId === undefined ? {} : { userId }),
    ...(email === undefined ? {} : { email }),
    ...(fallback === undefined ? {} : { fallback: { channel: fallback, message: forChannel } }),
  };
  return { ...renderTasks(digest, group, 'Your tasks', url), person };
}

const room = { characters: slackLimits.message - 1500, elements: slackLimits.elements };
const maxOwner = 60;

function renderTasks(
  digest: Digest,
  { tasks }: TaskGroup,
  title: string,
  link: string | undefined,
): SlackMessage {
  const { fitting, rest } = splitFlow(toBullets(tasks.map((task) => taskLine(task, true))), room);
  const more = [textLeaf('There are more in the report.', { italic: true })];
  return composeMessage([
    headerBlock(`${title}: ${digest.title}`),
    ...contextBlocks(digest),
    { flow: fitting },
    ...(rest.length === 0
      ? []
      : [{ flow: [{ part: { type: 'rich_text_section', elements: more } } as const] }]),
    ...linkButton(link, 'Open the report', `Open the report of ${digest.title}`),
  ]);
}

function findMember(
  { owner = '', email = '' }: TaskGroup,
  people: ReadonlyMap<string, string>,
): string | undefined {
  return people.get(normalizeName(email)) ?? people.get(normalizeName(owner));
}

/** Two ids for one person would be ambiguous. */
function hasUniqueNames(people: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(people);
  return new Set(names.map(normalizeName)).size === names.length;
}
