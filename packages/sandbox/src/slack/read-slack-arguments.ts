import { z } from 'zod';

import type { VendorSchema } from '../stand-ins/vendor-schema.ts';
import { describeProblems } from './describe-problem.ts';
import type { SlackObject } from './slack-message.ts';
import type { SlackRefusal } from './slack-refusal.ts';

const definitionSchema = z.object({
  properties: z.record(z.string(), z.object({ type: z.string().optional() })),
});

/** What Slack answers when one of these is not what it has to be; every other argument is `invalid_arguments`. */
const ownErrors: Readonly<Record<string, string>> = {
  blocks: 'invalid_blocks_format',
  attachments: 'invalid_attachments',
  metadata: 'invalid_metadata_format',
};

/**
 * Reads the arguments of a method by the SDK's own type for them. A form carries text alone, and Slack reads it as
 * what the argument is: `true` and `1` as yes, JSON as a list or an object. Arguments that the type does not name pass.
 */
export function readSlackArguments(
  given: SlackObject,
  definition: string,
  schema: VendorSchema,
): { readonly given: SlackObject } | SlackRefusal {
  const { properties } = definitionSchema.parse(schema.read(definition));
  const read: SlackObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== null && value !== undefined) read[name] = convert(value, properties[name]?.type);
  }
  const problems = schema.check(definition, read);
  if (problems.length === 0) return { given: read };
  const own = problems.map(({ pointer }) => ownErrors[pointer.slice(1)]).find((error) => error !== undefined);
  return own === undefined
    ? { error: 'invalid_arguments', details: describeProblems(problems, '') }
    : { error: own };
}

/** The value as the type wants it; as it came when it cannot be read so, for the schema to refuse. */
function convert(value: unknown, type: string | undefined): unknown {
  if (type === 'boolean') return !['', '0', 'false'].includes(String(value).toLowerCase());
  if (type === 'string' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  if (type === 'number') return value.trim() === '' ? value : convertNumber(value);
  return type === 'array' || type === 'object' ? parseJson(value) : value;
}

function convertNumber(text: string): unknown {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
