import { defineRecipe, escapeMarkdown, to } from '@aftermeet/recipes';

const MAX_TITLE = 200;

/** Makes an issue of each open task in Linear. */
export default defineRecipe({
  name: 'linear-tasks',
  description: 'Makes an issue of each open task in Linear.',
  on: ['meeting.completed'],
  run: ({ report }) =>
    report.tasks
      .filter(({ state }) => state === 'open')
      .map(({ key, text, owner, dueDate }) => {
        const title = text.replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE);
        const from = `From the meeting ${escapeMarkdown(report.title)}`;
        const description = `${text}\n\n${from}, for ${escapeMarkdown(owner?.name ?? 'anyone')}.`;
        // The key of the task: a report that is made anew has the same tasks.
        return to('linear', { title, description, dueDate }, { key });
      }),
});
