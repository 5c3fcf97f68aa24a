// #region recipe
import { defineRecipe, escapeMarkdown, slack } from '@aftermeet/recipes';

export default defineRecipe({
  name: 'decisions',
  description: 'Posts what was decided.',
  on: ['meeting.completed'],
  run: ({ report: { title, decisions } }) => {
    const markdown = [`**${escapeMarkdown(title)}**`, ...decisions].join('\n- ');
    return decisions.length === 0 ? [] : [slack({ channel: 'C0GENERAL', markdown })];
  },
});
// #endregion
