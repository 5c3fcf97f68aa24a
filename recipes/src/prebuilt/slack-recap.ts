import { z } from 'zod';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { SlackNeed } from '../destinations/slack/check.ts';
import type { SlackFile, SlackMessage } from '../destinations/slack/message.ts';
import { maxReplies, renderSlackRecap } from '../destinations/slack/render-recap.ts';
import type { ReportInput } from '../engine/recipe.ts';
import { hashText } from '../engine/store/store-tools.ts';
import type { Digest } from '../report/digest.ts';
import { chooseLook } from '../words/index.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { planChannel } from './plan-targets.ts';
import {
  channelOption,
  fillLink,
  labelsOption,
  languageOption,
  linkOption,
  sectionsOption,
  timezoneOption,
} from './shared-options.ts';

/** The file has a fixed part after the last possible reply. */
const filePart = maxReplies + 1;

const options = z.strictObject({
  channel: channelOption,
  link: linkOption.describe(
    'Where the button "Open the report" leads; {meeting_id} in it becomes the id. Default: no button.',
  ),
  sections: sectionsOption.describe(
    'Which parts the message has, in this order: outcome (the first sentences of the summary, right under the title), summary (the rest of it, or all without outcome), decisions, tasks, and more (the other sections of the report, as replies in the thread). What does not fit into the message follows in the thread in any case. Default: all of them.',
  ),
  labels: labelsOption,
  mention: z
    .boolean({ error: 'true or false' })
    .default(true)
    .describe(
      'Whether task owners are mentioned if their address belongs to a member of the workspace (the app needs the scope users:read.email); default true. Other owners are named.',
    ),
  maxTasks: z
    .int({ error: 'a whole number from 1 to 200' })
    .min(1, { error: 'a whole number from 1 to 200' })
    .max(200, { error: 'a whole number from 1 to 200' })
    .optional()
    .describe('How many tasks the message shows; the others follow in the thread. Default: as many as fit.'),
  file: z
    .enum(['pdf', 'docx', 'md'], { error: 'pdf, docx or md' })
    .optional()
    .describe(
      'Adds the whole report to the thread as a file: pdf, docx or md (the app needs the scope files:write). A changed report is added as another file. Default: no file.',
    ),
  language: languageOption,
  timezone: timezoneOption,
});

export const slackRecap = definePrebuiltRecipe({
  id: 'slack-recap',
  description: 'Posts the summary, decisions and tasks of a finished meeting to a Slack channel.',
  destination: 'slack',
  events: ['meeting.completed'],
  transcript: 'present',
  options,
  plan: (_event, { channel }, destinations) => planChannel(channel, destinations),
  present: presentRecap,
  needs: ({ channel, file, mention }) =>
    ({ channel, hasFiles: file !== undefined, findsPeople: mention }) satisfies SlackNeed,
});

/** Part 0 is the message, parts 1 to 8 are its replies, part 9 is the file. */
function presentRecap(
  { link, file, maxTasks, ...shown }: z.output<typeof options>,
  destinations: Destinations,
): ReportInput<BuiltInMessage> {
  const look = chooseLook(shown, destinations);
  // Each part is rendered by a call of its own, from the same digest.
  const rendered = new WeakMap<Digest, readonly SlackMessage[]>();
  const renderAll = (digest: Digest): readonly SlackMessage[] => {
    const messages =
      rendered.get(digest) ??
      renderSlackRecap(digest, {
        link: fillLink(link, digest.meetingId),
        parts: shown.sections,
        mention: shown.mention,
        look,
        ...(maxTasks === undefined ? {} : { maxTasks }),
      });
    rendered.set(digest, messages);
    return messages;
  };
  return {
    from: 'report',
    expand(digest, { target, part }) {
      if (part !== 0) return [];
      const replies = renderAll(digest).slice(1);
      return [
        ...replies.map((_reply, at) => ({ target, part: at + 1 })),
        ...(file === undefined ? [] : [{ target, part: filePart }]),
      ];
    },
    render(digest, { part }) {
      const messages = renderAll(digest);
      if (part === filePart && file !== undefined) {
        return { destination: 'slack', message: fileMessage(digest, file, messages) };
      }
      const message = messages[part];
      return message === undefined
        ? { skip: 'the report is shorter than it was' }
        : { destination: 'slack', message };
    },
  };
}

function fileMessage(
  { meetingId, title, startedAt, startedLocal = startedAt }: Digest,
  format: SlackFile['format'],
  messages: readonly SlackMessage[],
): SlackMessage {
  const name = startedLocal === undefined ? title : `${title} ${startedLocal.slice(0, 10)}`;
  const version = hashText(JSON.stringify(messages));
  return { text: `${name} (${format})`, blocks: [], file: { meetingId, format, name, version } };
}
