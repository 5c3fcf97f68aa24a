import { z } from 'zod';

import { tagColors } from '../tag-colors.ts';

/** The observed tag. */
export const tagShape = z
  .looseObject({
    id: z.string().meta({ description: 'The tag' }).optional(),
    name: z.string().optional(),
    color: z.string().meta({ observedExamples: tagColors }).optional(),
  })
  .meta({ description: 'A tag of the workspace', observed: true });

/** The observed page of the tag list. */
export const tagPageShape = z
  .looseObject({
    tags: z.array(tagShape).meta({ description: 'The tags of this page' }).optional(),
    nextCursor: z
      .string()
      .nullish()
      .meta({ description: 'Where the next page begins; absent or null on the last one' }),
  })
  .meta({ description: 'One page of tags', observed: true });

/** The observed answer to a new tag. */
export const createdTagShape = z
  .looseObject({ tag: tagShape.optional(), created: z.boolean().optional() })
  .meta({ description: 'The new tag', observed: true });

/** The observed answer to attaching and detaching. */
export const tagLinkShape = z
  .looseObject({
    meetingId: z.string().meta({ description: 'The meeting' }).optional(),
    tagId: z.string().meta({ description: 'The tag' }).optional(),
    assigned: z.boolean().meta({ description: 'Whether the meeting has the tag now' }).optional(),
  })
  .meta({ description: 'A tag on a meeting', observed: true });
