import { z } from 'zod';

import type { NotionNeed } from '../destinations/notion/check.ts';
import { renderNotionPage } from '../destinations/notion/render-page.ts';
import { chooseLook } from '../words/index.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { dataSourceOption, initialStatusOption, mappingOption } from './notion-options.ts';
import { planDataSource } from './plan-targets.ts';
import {
  fillLink,
  labelsOption,
  languageOption,
  linkOption,
  sectionsOption,
  timezoneOption,
} from './shared-options.ts';

export const notionPage = definePrebuiltRecipe({
  id: 'notion-page',
  description: 'Makes a Notion page of a finished meeting, with its tasks as check boxes.',
  destination: 'notion',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({
    dataSource: dataSourceOption
      .optional()
      .describe(
        'The id of the data source to put the page in; without it NOTION_DATA_SOURCE_ID. A changed report rewrites the text of the page: keep notes of your own in properties, comments or other pages.',
      ),
    link: linkOption,
    transcript: z
      .boolean({ error: 'true or false' })
      .default(true)
      .describe('Whether the page has the transcript, in a toggle; default true.'),
    properties: mappingOption('meeting'),
    initialStatus: initialStatusOption.describe(
      'The status of a new page; it is never changed afterwards. Default: what the data source sets.',
    ),
    sections: sectionsOption,
    labels: labelsOption,
    language: languageOption,
    timezone: timezoneOption,
  }),
  needs: ({ dataSource, properties }) =>
    ({ dataSource, kind: 'meeting', mapping: properties }) satisfies NotionNeed,
  plan: (_event, options, destinations) => planDataSource(options.dataSource, destinations),
  present: ({ link, transcript, properties, initialStatus, sections, ...look }, destinations) => ({
    from: 'report',
    needsTranscript: transcript,
    render: (digest) => ({
      destination: 'notion',
      message: renderNotionPage(digest, {
        link: fillLink(link, digest.meetingId),
        transcript,
        mapping: properties,
        initialStatus,
        parts: sections,
        look: chooseLook(look, destinations),
      }),
    }),
  }),
});
