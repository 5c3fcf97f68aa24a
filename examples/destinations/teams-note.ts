import { defineRecipe, to } from '@aftermeet/recipes';

/** Posts the summary of a meeting and its open tasks in Teams. */
export default defineRecipe({
  name: 'teams-note',
  description: 'Posts the summary of a meeting and its open tasks in Teams.',
  on: ['meeting.completed'],
  run: ({ report }) => {
    const open = report.tasks.filter(({ state }) => state === 'open');
    const list = open.map(({ owner, text }) => `- ${owner?.name ?? 'Open'}: ${text}`);
    const text = [report.summary, ...list].join('\n');
    return [to('teams', { title: report.title, text, facts: { Tasks: String(open.length) } })];
  },
});
