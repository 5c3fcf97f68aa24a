/** A recipe that runs, to be changed into what is needed. */
export function writeRecipe(name: string): string {
  return `import { defineRecipe, escapeMarkdown, slack } from '@aftermeet/recipes';
import { z } from 'zod';

export default defineRecipe({
  name: '${name}',
  description: 'Posts the open tasks of a meeting.',
  on: ['meeting.completed'],
  options: z.strictObject({
    channel: z.string().describe('The id of the channel to post to.'),
  }),
  run: ({ report, options }) => {
    const open = report.tasks.filter(({ state }) => state === 'open');
    const list = open.map(({ owner, text }) => \`- \${owner?.name ?? 'Open'}: \${text}\`).join('\\n');
    return [slack({ channel: options.channel, markdown: \`**\${escapeMarkdown(report.title)}**\\n\\n\${list}\` })];
  },
});
`;
}

/** Its test. */
export function writeTest(name: string, ending: string): string {
  return `import { renderRecipe, sampleReport } from '@aftermeet/recipes/testing';
import { expect, it } from 'vitest';

import recipe from './${name}.${ending}';

it('posts the open tasks', async () => {
  const [effect] = await renderRecipe(recipe, sampleReport, { channel: 'C0123456789' });
  expect(effect).toMatchObject({
    destination: 'slack',
    target: 'C0123456789',
    message: { text: expect.stringContaining('Send the offer') },
  });
});
`;
}
