import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import { spreadTarget } from '../../recipe.ts';
import { hasTemplate } from '../../service/has-template.ts';

const templateRule = 'a slug such as sales-meeting, or the id of a custom template';

const options = z.strictObject({
  template: z
    .string({ error: templateRule })
    .regex(/^[\w.-]{1,100}$/, { error: templateRule })
    .describe(
      'The template that the report is to have: a slug such as sales-meeting, or the id of a custom one.',
    ),
  shownAs: z
    .string({ error: 'the name of the template as reports show it' })
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'What reports call the template. Only for a service whose reports show neither its slug nor the name that ' +
        'the workspace has for it.',
    ),
});

/**
 * The report is looked at first: where it has the template there is nothing to do. What is ordered is an effect of its
 * own that never looks for a reason to be skipped, because one that was cut off must still tell the other recipes.
 * It is ordered once for a meeting, whatever its report is called later, so an event of ours never leads to another.
 */
export const regenerate = definePrebuiltRecipe({
  id: 'regenerate',
  description: 'Has the report of a finished meeting made again with another template.',
  destination: 'service',
  events: ['meeting.completed'],
  transcript: 'present',
  options,
  // The endpoint is part of what is ordered: its recipes are those that go on.
  plan: ({ endpoint }) => [{ target: spreadTarget, part: 0, item: endpoint }],
  present: ({ template, shownAs }) => ({
    from: 'report',
    whyNobody: 'the report has the template already',
    spread: ({ templates }, { target, item }) => {
      if (target !== spreadTarget) return [];
      const names = shownAs === undefined ? [] : [shownAs];
      const shown = templates.flatMap(({ name, id = name }) => [name, id]);
      if (hasTemplate(shown, { template, names })) return [];
      return [{ target: template, part: 0, ...(item === undefined ? {} : { item }) }];
    },
    render: ({ meetingId }, { target, item: endpoint = '' }) =>
      target === template
        ? {
            destination: 'service',
            message: { meetingId, template, endpoint, ...(shownAs === undefined ? {} : { shownAs }) },
          }
        : { skip: 'another template is wanted now' },
  }),
});
