import type { z } from 'zod';

import { errorShape } from '../answer-shapes/error-shape.ts';
import { eventShape } from '../answer-shapes/event-shape.ts';
import { generationShape } from '../answer-shapes/generation-shape.ts';
import { foundMeetingShape, meetingPageShape } from '../answer-shapes/meeting-shapes.ts';
import { reportShape } from '../answer-shapes/report-shape.ts';
import { createdTagShape, tagLinkShape, tagPageShape, tagShape } from '../answer-shapes/tag-shapes.ts';
import { chunkShape } from '../answer-shapes/upload-shapes.ts';
import { type Json, toJsonSchema } from './json-schema.ts';

/** The shapes that have a name in the document. */
export const componentSchemas = {
  CreatedTag: createdTagShape,
  Error: errorShape,
  GeneratedReport: generationShape,
  Meeting: foundMeetingShape,
  MeetingPage: meetingPageShape,
  Report: reportShape,
  Tag: tagShape,
  TagLink: tagLinkShape,
  TagPage: tagPageShape,
  UploadedChunk: chunkShape,
  WebhookEvent: eventShape,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** A pointer to a named shape. */
export function pointTo(name: keyof typeof componentSchemas): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** A shape where it is used: a pointer when it has a name, else the shape itself. */
export function describeShape(shape: z.ZodType): Json {
  const named = Object.entries(componentSchemas).find(([, schema]) => schema === shape);
  return named === undefined ? toJsonSchema(shape) : { $ref: `#/components/schemas/${named[0]}` };
}
