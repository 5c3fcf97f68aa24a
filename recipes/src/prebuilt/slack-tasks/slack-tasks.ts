import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import type { Digest, TaskGroup } from '../../digest.ts';
import { foldName } from '../../digest/fold-name.ts';
import { foldOwner } from '../../digest/group-tasks.ts';
import { type PlannedEffect, type ReportSubject, spreadTarget } from '../../recipe.ts';
import { renderSlackTasks } from '../../slack/render-slack-tasks.ts';
import { slackChannelId } from '../../slack/slack-channel-id.ts';
import type { SlackMessage, SlackPerson } from '../../slack/slack-message.ts';
import { hashText } from '../../store/hash-text.ts';
import { fillLink, linkOption } from '../shared-options.ts';

const memberWords = { error: 'the id of a member, such as U0123456789' };

const options = z.strictObject({
  people: z
    .record(z.string().trim(), z.string(memberWords).regex(/^[UW][A-Z0-9]{2,}$/, memberWords))
    .refine((people) => !Object.hasOwn(people, ''), { error: 'a name or an address before each id' })
    .refine(hasEachOnce, { error: 'each name or address once' })
    .default({})
    .describe(
      "Who owners are in Slack: names or addresses, each with a member's id, such as Ann Lee: U0123456789. Without it an owner is found by the address that the report has for them (the app needs the scope users:read.email); a guest is found only here.",
    ),
  fallback: z
    .string({ error: 'the id of a channel, such as C0123456789' })
    .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789, not its name' })
    .optional()
    .describe(
      'The id of the channel that is told of tasks without an owner, and of those whose owner is no member of the workspace. Without it nobody is.',
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
  options,
  plan: (_event, _options, { slack }) => (slack === undefined ? [] : [{ target: spreadTarget, part: 0 }]),
  present: presentTasks,
});

/** What the tasks without an owner are, among the effects of a meeting. */
const unowned = 'unowned';

function presentTasks(wishes: Options): ReportSubject {
  const people = new Map(Object.entries(wishes.people).map(([name, id]) => [foldName(name), id] as const));
  return {
    from: 'report',
    whyNobody: 'the report has no task whose owner can be reached',
    spread: (digest, { target }) =>
      target === spreadTarget
        ? digest.taskGroups.flatMap((group) => planGroup(group, people, wishes.fallback))
        : [],
    render(digest, effect) {
      const group = digest.taskGroups.find((one) =>
        planGroup(one, people, wishes.fallback).some(
          ({ target, item }) => target === effect.target && item === effect.item,
        ),
      );
      if (group === undefined) return { skip: 'the report has no task for this owner any more' };
      return { destination: 'slack', message: writeTasks(digest, group, people, wishes) };
    },
  };
}

/** No name and no address stands in a target: it is seen by whoever looks at jobs. */
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
  return [{ target: `person:${hashText(foldOwner(group)).slice(0, 16)}`, part: 0 }];
}

function writeTasks(
  digest: Digest,
  group: TaskGroup,
  people: ReadonlyMap<string, string>,
  { link, fallback }: Options,
): SlackMessage {
  const shown = { link: fillLink(link, digest.meetingId) };
  const forChannel = renderSlackTasks(digest, group, { ...shown, reader: 'channel' });
  if (group.owner === undefined) return forChannel;
  const userId = findMember(group, people);
  const person: SlackPerson = {
    ...(userId === undefined ? {} : { userId }),
    ...(group.email === undefined ? {} : { email: group.email }),
    ...(fallback === undefined ? {} : { otherwise: { channel: fallback, message: forChannel } }),
  };
  return { ...renderSlackTasks(digest, group, { ...shown, reader: 'owner' }), person };
}

function findMember(
  { owner = '', email = '' }: TaskGroup,
  people: ReadonlyMap<string, string>,
): string | undefined {
  return people.get(foldName(email)) ?? people.get(foldName(owner));
}

/** Of two ids for one person nobody knows which one is meant. */
function hasEachOnce(people: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(people);
  return new Set(names.map(foldName)).size === names.length;
}
