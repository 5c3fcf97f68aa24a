import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { renderNotionTask } from '../../notion/render-notion-task.ts';
import { spreadTarget } from '../../recipe.ts';
import { dataSourceId, describeMapping, initialStatusOption } from '../notion-options.ts';
import { fillLink, linkOption } from '../shared-options.ts';

export const notionTasks = definePrebuiltRecipe({
  id: 'notion-tasks',
  description: 'Keeps one row for each task of a finished meeting in a Notion data source.',
  destination: 'notion',
  events: ['meeting.completed'],
  transcript: 'present',
  options: z.strictObject({
    dataSource: dataSourceId.describe(
      'The id of the data source to put the rows in. A task that a later report does not have keeps its row, and nothing that people say of its status is changed.',
    ),
    meetings: dataSourceId
      .optional()
      .describe(
        "The id of the data source of the meetings' pages, for a property Meeting that is a relation: a row waits up to two minutes for its meeting's page. Without it the one that the property points into, and no row waits.",
      ),
    meetingProperty: z
      .string({ error: 'the name of a property' })
      .min(1)
      .max(200)
      .optional()
      .describe(
        "The property by which the meeting's page is found there: what notion-page's option properties names for meetingId. Without it Meeting ID.",
      ),
    link: linkOption,
    properties: describeMapping('task'),
    initialStatus: initialStatusOption.describe(
      'The status that a new row gets; it is never changed afterwards. Without it, what the data source gives by itself.',
    ),
  }),
  plan: (_event, _options, { notion }) => (notion === undefined ? [] : [{ target: spreadTarget, part: 0 }]),
  present: ({ dataSource, meetings, meetingProperty, link, properties, initialStatus }) => ({
    from: 'report',
    whyNobody: 'the report has no tasks',
    spread: ({ taskGroups }, { target }) =>
      target === spreadTarget
        ? taskGroups.flatMap(({ tasks }) =>
            tasks.map(({ key }) => ({ target: dataSource, part: 0, item: key })),
          )
        : [],
    render: (digest, { item }) => {
      const message = renderNotionTask(digest, item, {
        link: fillLink(link, digest.meetingId),
        mapping: properties,
        initialStatus,
        meetings,
        meetingProperty,
      });
      if (message === undefined) return { skip: 'the report does not have this task any more' };
      return { destination: 'notion', message };
    },
  }),
});
