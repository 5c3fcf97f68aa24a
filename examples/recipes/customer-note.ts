import { defineRecipe, email, escapeMarkdown, slack } from '@aftermeet/recipes';
import { z } from 'zod';

/** Posts a short note about a customer meeting, and mails its organiser what they promised. */
export default defineRecipe({
  name: 'customer-note',
  description: 'Posts a short note about a customer meeting, and mails the organiser the open tasks.',
  on: ['meeting.completed'],
  options: z.strictObject({
    channel: z.string().describe('The id of the channel to post to.'),
  }),
  run: ({ report, options }) => {
    const open = report.tasks.filter(({ state }) => state === 'open');
    const list = open.map(({ owner, text }) => `- ${owner?.name ?? 'Open'}: ${text}`).join('\n');
    const note = `**${escapeMarkdown(report.title)}**: ${open.length} open tasks\n\n${report.summary}`;
    const organiser = report.organiser?.email;
    return [
      slack({ channel: options.channel, markdown: note }),
      ...(organiser === undefined || open.length === 0
        ? []
        : [email({ to: organiser, subject: `Open tasks: ${report.title}`, markdown: list })]),
    ];
  },
});
