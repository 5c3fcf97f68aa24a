import { z } from 'zod';

import { definePrebuiltRecipe } from '../define-prebuilt-recipe.ts';
import { renderNotionPage } from '../notion/render-notion-page.ts';
import { planDataSource } from './plan-targets.ts';
import { fillLink, linkOption } from './shared-options.ts';

export const notionPage = definePrebuiltRecipe({
  id: 'notion-page',
  description: 'Makes a Notion page of a finished meeting, with its tasks as check boxes.',
  destination: 'notion',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({
    dataSource: z
      .string({ error: 'the id of a data source' })
      .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the id of a data source' })
      .optional()
      .describe('The id of the data source to put the page in; without it NOTION_DATA_SOURCE_ID.'),
    link: linkOption,
  }),
  plan: (_event, options, destinations) => planDataSource(options.dataSource, destinations),
  present: ({ link }) => ({
    from: 'report',
    render: (digest) => ({
      destination: 'notion',
      message: renderNotionPage(digest, fillLink(link, digest.meetingId)),
    }),
  }),
});
