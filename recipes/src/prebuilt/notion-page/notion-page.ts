import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { renderNotionPage } from '../../notion/render-notion-page.ts';
import { dataSourceId, describeMapping, initialStatusOption } from '../notion-options.ts';
import { planDataSource } from '../plan-targets.ts';
import { fillLink, linkOption } from '../shared-options.ts';

export const notionPage = definePrebuiltRecipe({
  id: 'notion-page',
  description: 'Makes a Notion page of a finished meeting, with its tasks as check boxes.',
  destination: 'notion',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({
    dataSource: dataSourceId
      .optional()
      .describe(
        'The id of the data source to put the page in; without it NOTION_DATA_SOURCE_ID. What is in the page is written anew when the report changes: notes of your own belong into properties, comments or pages beside it.',
      ),
    link: linkOption,
    transcript: z
      .boolean({ error: 'true or false' })
      .default(true)
      .describe('Whether the transcript is in the page, in a toggle; true unless said otherwise.'),
    properties: describeMapping('meeting'),
    initialStatus: initialStatusOption.describe(
      'The status that a new page gets; it is never changed afterwards. Without it, what the data source gives by itself.',
    ),
  }),
  plan: (_event, options, destinations) => planDataSource(options.dataSource, destinations),
  present: ({ link, transcript, properties, initialStatus }) => ({
    from: 'report',
    needsTranscript: transcript,
    render: (digest) => ({
      destination: 'notion',
      message: renderNotionPage(digest, {
        link: fillLink(link, digest.meetingId),
        transcript,
        mapping: properties,
        initialStatus,
      }),
    }),
  }),
});
