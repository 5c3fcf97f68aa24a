import { z } from 'zod';

/** The answer to a generation, as in the specification. */
export const generationShape = z
  .looseObject({
    followup: z.looseObject({}).meta({ description: 'The report; its fields are not shown' }),
    created_template_id: z
      .string()
      .meta({ description: 'The template within the report, as `templateId` of an edit' }),
  })
  .meta({ description: 'A generated report' });
