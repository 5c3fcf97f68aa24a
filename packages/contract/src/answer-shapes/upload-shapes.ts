import { z } from 'zod';

/** The answer to a chunk. The specification shows it for the last one, and says nothing of the others. */
export const chunkShape = z
  .looseObject({
    meeting_id: z
      .string()
      .meta({ description: 'The new meeting; in the answer to the last chunk' })
      .optional(),
    user_id: z
      .string()
      .meta({ description: 'Whose upload it is; in the answer to the last chunk' })
      .optional(),
  })
  .meta({ description: 'What became of a chunk' });
