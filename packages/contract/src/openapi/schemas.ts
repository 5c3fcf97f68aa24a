import * as z from 'zod';

import {
  chunkShape,
  createdTagShape,
  errorShape,
  eventShape,
  foundMeetingShape,
  generationShape,
  meetingPageShape,
  reportShape,
  tagLinkShape,
  tagPageShape,
  tagShape,
} from '../answer-shapes.ts';

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

/** A JSON Schema of the dialect 2020-12, or another object of the document. */
export type Json = Record<string, unknown>;

/** Formats that say all that the patterns beside them say. */
const knownFormats: readonly unknown[] = ['date', 'date-time', 'email', 'uuid'];

/** The JSON Schema of a body. */
function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      tidy(jsonSchema);
    },
  });
  return json;
}

/** Several schemas by name, each pointing to the others at `#/components/schemas`. */
export function toComponentSchemas(schemas: Readonly<Record<string, z.ZodType>>): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      tidy(jsonSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([name, { $schema: _dialect, $id: _id, ...json }]) => [name, json]),
  );
}

/** Takes out what says nothing or the same twice, and gives our own marks the names of extensions. */
function tidy(json: Json): void {
  if (knownFormats.includes(json['format'])) delete json['pattern'];
  // An object with known fields is open without saying so, and generated types are better for it.
  const hasFields = Object.keys(Object(json['properties'])).length > 0;
  if (hasFields && json['additionalProperties'] !== false) delete json['additionalProperties'];
  rename(json, 'observed', 'x-observed');
  rename(json, 'observedExamples', 'x-observed-values');
}

function rename(json: Json, from: string, to: string): void {
  if (!(from in json)) return;
  json[to] = json[from];
  delete json[from];
}
