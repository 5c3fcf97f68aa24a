import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import type { Digest } from '../../digest.ts';
import type { ReportSubject } from '../../recipe.ts';
import { layOutSlackRecap, mostReplies } from '../../slack/render-slack-recap.ts';
import type { SlackMessage } from '../../slack/slack-message.ts';
import { hashText } from '../../store/hash-text.ts';
import { planChannel } from '../plan-targets.ts';
import { channelOption, fillLink, linkOption } from '../shared-options.ts';

const formats = ['pdf', 'docx', 'md'] as const;

/** The file comes behind all replies; however many those are, its part is the same. */
const filePart = mostReplies + 1;

const options = z.strictObject({
  channel: channelOption,
  link: linkOption.describe(
    'The address that the button "Open the report" leads to; {meeting_id} in it becomes the id. Without it, no button.',
  ),
  sections: z
    .enum(['all', 'none'], { error: 'all or none' })
    .default('all')
    .describe(
      'Whether the other sections of the report follow as replies in the thread: all or none; without it all. What does not fit into the message follows in any case.',
    ),
  mention: z
    .boolean({ error: 'true or false' })
    .default(true)
    .describe(
      'Whether owners of tasks are mentioned, where their address is that of somebody in the workspace (the app needs the scope users:read.email); without it true. Else they are named.',
    ),
  maxTasks: z
    .int({ error: 'a whole number from 1 to 200' })
    .min(1, { error: 'a whole number from 1 to 200' })
    .max(200, { error: 'a whole number from 1 to 200' })
    .optional()
    .describe(
      'How many tasks the message shows; the others follow in the thread. Without it as many as fit.',
    ),
  file: z
    .enum(formats, { error: 'pdf, docx or md' })
    .optional()
    .describe(
      'The format in which the whole report is added to the thread as a file: pdf, docx or md (the app needs the scope files:write). Without it, no file. A report that is made again is added as another file.',
    ),
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
});

/** Part 0 is the message, 1 to 8 are its replies, 9 is the file. */
function presentRecap({ link, file, ...wishes }: z.output<typeof options>): ReportSubject {
  const { sections, mention, maxTasks } = wishes;
  // Every part of a report is asked for by itself, and each is made of all of it.
  const known = new WeakMap<Digest, readonly SlackMessage[]>();
  const layOut = (digest: Digest): readonly SlackMessage[] => {
    const messages =
      known.get(digest) ??
      layOutSlackRecap(digest, {
        link: fillLink(link, digest.meetingId),
        sections,
        mention,
        ...(maxTasks === undefined ? {} : { maxTasks }),
      });
    known.set(digest, messages);
    return messages;
  };
  return {
    from: 'report',
    spread(digest, { target, part }) {
      if (part !== 0) return [];
      const replies = layOut(digest).slice(1);
      return [
        ...replies.map((_reply, at) => ({ target, part: at + 1 })),
        ...(file === undefined ? [] : [{ target, part: filePart }]),
      ];
    },
    render(digest, { part }) {
      const messages = layOut(digest);
      if (part === filePart && file !== undefined) {
        return { destination: 'slack', message: writeFile(digest, file, messages) };
      }
      const message = messages[part];
      return message === undefined
        ? { skip: 'the report is shorter than it was' }
        : { destination: 'slack', message };
    },
  };
}

function writeFile(
  { meetingId, title, startedAt, startedLocal = startedAt }: Digest,
  format: (typeof formats)[number],
  messages: readonly SlackMessage[],
): SlackMessage {
  const name = startedLocal === undefined ? title : `${title} ${startedLocal.slice(0, 10)}`;
  const edition = hashText(JSON.stringify(messages));
  return { text: `${name} (${format})`, blocks: [], file: { meetingId, format, name, edition } };
}
