import { z } from 'zod';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { Destinations } from '../destinations/settings.ts';
import { contextBlocks, headerBlock, linkButton } from '../destinations/slack/blocks.ts';
import type { SlackNeed } from '../destinations/slack/check.ts';
import {
  type SharedMessage,
  slackChannelId,
  type SlackMessage,
  type SlackPerson,
  type FlowPart,
} from '../destinations/slack/message.ts';
import { taskLine } from '../destinations/slack/render-recap.ts';
import { headingPart, toBullets } from '../destinations/slack/rich-text.ts';
import { composeShared } from '../destinations/slack/shared-message.ts';
import { renderTaskBlocks } from '../destinations/slack/task-blocks.ts';
import { type PlannedEffect, type ReportInput, expandTarget } from '../engine/recipe.ts';
import { hashText } from '../engine/store/store-tools.ts';
import { cutText } from '../report/clean-text.ts';
import type { Digest } from '../report/digest.ts';
import { normalizeName } from '../report/people.ts';
import { listOpenGroups } from '../report/show-task.ts';
import { type TaskGroup, makeOwnerKey } from '../report/tasks.ts';
import { chooseLook, type Look } from '../words/index.ts';
import { localizeDigest, nameOwner } from '../words/localize-digest.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { fillLink, labelsOption, languageOption, linkOption, timezoneOption } from './shared-options.ts';

const memberError = { error: 'the id of a member, such as U0123456789' };

const options = z.strictObject({
  people: z
    .record(z.string().trim(), z.string(memberError).regex(/^[UW][A-Z0-9]{2,}$/, memberError))
    .refine((people) => !Object.hasOwn(people, ''), { error: 'a name or an address before each id' })
    .refine(hasUniqueNames, { error: 'each name or address once' })
    .default({})
    .describe(
      "Who owners are in Slack: names or addresses, each with a member's id, such as Ann Lee: U0123456789. Default: an owner who took part is found by the address in the report (the app needs the scope users:read.email). Guests, and owners who did not take part, are found only here. People of the whole installation stand under people: at the top of the file.",
    ),
  fallback: z
    .string({ error: 'the id of a channel, such as C0123456789' })
    .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789, not its name' })
    .optional()
    .describe(
      'The id of the channel that gets, in one message per meeting, tasks without an owner and tasks whose owner gets no direct message. Default: they are not sent.',
    ),
  link: linkOption,
  labels: labelsOption,
  language: languageOption,
  timezone: timezoneOption,
});

type Options = z.output<typeof options>;

export const slackTasks = definePrebuiltRecipe({
  id: 'slack-tasks',
  description:
    'Sends each owner their tasks of a finished meeting in Slack, with a Done button where Slack tells of clicks.',
  destination: 'slack',
  events: ['meeting.completed'],
  transcript: 'present',
  about: 'tasks',
  options,
  plan: (_event, _options, { slack }) => (slack === undefined ? [] : [{ target: expandTarget, part: 0 }]),
  present: presentTasks,
  needs: ({ fallback }) =>
    ({ channel: fallback, findsPeople: true, writesToPeople: true }) satisfies SlackNeed,
});

/** Item of the message to the fallback channel. */
const fallbackItem = 'fallback';

function presentTasks(settings: Options, destinations: Destinations): ReportInput<BuiltInMessage> {
  const { signingSecret, appToken } = destinations.slack ?? {};
  const hasButtons = signingSecret !== undefined || appToken !== undefined;
  const style = { ...chooseLook(settings, destinations), link: settings.link, hasButtons };
  return {
    from: 'report',
    whyNoTarget: 'the report has no open task whose owner can be reached',
    expand: (digest, { target }) => (target === expandTarget ? planMessages(digest, settings) : []),
    render(digest, effect) {
      const owners = listOwners(digest, settings);
      if (effect.item === fallbackItem && owners.length > 0) {
        return { destination: 'slack', message: fallbackMessage(digest, owners, style) };
      }
      const found = owners.find(({ group }) => nameTarget(group) === effect.target);
      if (found?.person === undefined) return { skip: 'the report has no open task for this owner any more' };
      return { destination: 'slack', message: personMessage(digest, found.group, found.person, style) };
    },
  };
}

/**
 * A direct message to each owner who may be reached, and one message to the fallback channel. Only Slack knows who is a
 * member: the message to the channel leaves out, when it is sent, the tasks of owners who get them directly.
 */
function planMessages(digest: Digest, settings: Options): readonly PlannedEffect[] {
  const owners = listOwners(digest, settings);
  const direct = owners.flatMap(({ group, person }) =>
    person === undefined ? [] : [{ target: nameTarget(group), part: 0 }],
  );
  const { fallback } = settings;
  if (fallback === undefined || owners.length === 0) return direct;
  return [...direct, { target: fallback, part: 0, item: fallbackItem }];
}

interface TaskOwner {
  readonly group: TaskGroup;
  /** Absent: there is no owner, or one who may not be written to. */
  readonly person: SlackPerson | undefined;
}

/** Open tasks by owner. Only those are written to whom the options name, or who took part with the address they have. */
function listOwners(digest: Digest, { people, fallback }: Options): readonly TaskOwner[] {
  const members = new Map(Object.entries(people).map(([name, id]) => [normalizeName(name), id] as const));
  const present = new Set(
    digest.attendees.flatMap(({ email, slack }) => [
      ...(email === undefined ? [] : [normalizeName(email)]),
      ...(slack === undefined ? [] : [slack]),
    ]),
  );
  return listOpenGroups(digest.taskGroups).map((group) => {
    const { owner, email = '', slack } = group;
    const isPresent = present.has(normalizeName(email)) || (slack !== undefined && present.has(slack));
    const named = members.get(normalizeName(email)) ?? members.get(normalizeName(owner ?? ''));
    const userId = named ?? (isPresent ? slack : undefined);
    if (owner === undefined || (userId === undefined && !isPresent)) return { group, person: undefined };
    const address = isPresent && email !== '' ? { email } : {};
    const person = { ...(userId === undefined ? address : { userId }), hasFallback: fallback !== undefined };
    return { group, person };
  });
}

/** A target holds no name and no address: operators see it. */
function nameTarget(group: TaskGroup): string {
  return `person:${hashText(makeOwnerKey(group)).slice(0, 16)}`;
}

function personMessage(digest: Digest, group: TaskGroup, person: SlackPerson, style: Style): SlackMessage {
  const { head, tail } = frame(style.words.yourTasks, digest, style);
  const blocks = style.hasButtons ? renderTaskBlocks(group.tasks, digest.meetingId, style.words) : [];
  const shares = [{ flow: listTasks({ ...group, tasks: group.tasks.slice(blocks.length) }, style) }];
  const taken = blocks.reduce((sum, { text }) => sum + text.text.length, 0);
  return { ...composeShared({ head: [...head, ...blocks], shares, tail, taken }), person };
}

function fallbackMessage(digest: Digest, owners: readonly TaskOwner[], style: Style): SlackMessage {
  const { words } = style;
  const shares = owners.map(({ group, person }) => {
    const name = cutText(
      group.owner === undefined ? words.noOwner : nameOwner(group.owner, words),
      MAX_OWNER,
    );
    return { person, flow: [headingPart(name, 2), ...listTasks(group, style)] };
  });
  const shared = { ...frame(words.openTasks, digest, style), shares };
  return { ...composeShared(shared), shared };
}

const MAX_OWNER = 60;

/** How messages look. */
interface Style extends Look {
  /** Slack tells of clicks, so tasks can have buttons. */
  readonly hasButtons: boolean;
  readonly link: string | undefined;
}

function frame(title: string, given: Digest, style: Style): Omit<SharedMessage, 'shares'> {
  const { link, words } = style;
  const digest = localizeDigest(given, words);
  const url = fillLink(link, digest.meetingId);
  return {
    head: [headerBlock(`${title}: ${digest.title}`), ...contextBlocks(digest, style)],
    tail: linkButton(url, words.openReport, words.openReportOf(digest.title)),
  };
}

function listTasks({ tasks }: TaskGroup, { words }: Style): readonly FlowPart[] {
  return toBullets(tasks.map((task) => taskLine(task, words, true)));
}

/** Two ids for one person would be ambiguous. */
function hasUniqueNames(people: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(people);
  return new Set(names.map(normalizeName)).size === names.length;
}
