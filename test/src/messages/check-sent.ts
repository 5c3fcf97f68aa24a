import type { InterceptedCall } from '@aftermeet/sandbox';

import { checkMailLimits } from './check-mail-limits.ts';
import { checkNotionLimits } from './check-notion-limits.ts';
import { checkSchema } from './check-schema.ts';
import { checkSlackLimits } from './check-slack-limits.ts';
import { slackUsers, type SentMessages } from './open-wire.ts';
import { isObject, type JsonObject } from './walk-json.ts';

/** Calls of Slack that say something, and the type of what each takes. */
const slackDefinitions: Readonly<Record<string, string>> = {
  '/api/chat.postMessage': 'ChatPostMessageArguments',
  '/api/chat.update': 'ChatUpdateArguments',
  '/api/files.completeUploadExternal': 'FilesCompleteUploadExternalArguments',
};

/** Calls of Notion that write: where the id in the address stands among the SDK's arguments. */
const notionDefinitions: readonly (readonly [
  method: string,
  path: RegExp,
  definition: string,
  id?: string,
])[] = [
  ['POST', /^\/v1\/pages$/, 'CreatePageParameters'],
  ['PATCH', /^\/v1\/pages\/([^/]+)$/, 'UpdatePageParameters', 'page_id'],
  ['PATCH', /^\/v1\/blocks\/([^/]+)\/children$/, 'AppendBlockChildrenParameters', 'block_id'],
  ['PATCH', /^\/v1\/blocks\/([^/]+)$/, 'UpdateBlockParameters', 'block_id'],
  ['PATCH', /^\/v1\/data_sources\/([^/]+)$/, 'UpdateDataSourceParameters', 'data_source_id'],
  ['POST', /^\/v1\/data_sources\/([^/]+)\/query$/, 'QueryDataSourceParameters', 'data_source_id'],
];

const users: ReadonlySet<string> = new Set(slackUsers.map(({ id }) => id));

/** Everything that is wrong with what went over the wire, by the vendors' types and by their documented limits. */
export async function checkSent({ slack, notion, mails, refused }: SentMessages): Promise<readonly string[]> {
  const calls = await Promise.all([...slack.map(checkSlackCall), ...notion.map(checkNotionCall)]);
  return [
    ...refused.map((cause) => `not sent: ${cause}`),
    ...calls.flat(),
    ...mails.flatMap(checkMailLimits),
  ];
}

async function checkSlackCall({ path, body }: InterceptedCall): Promise<readonly string[]> {
  const definition = slackDefinitions[path];
  if (definition === undefined || !isObject(body)) return [];
  const call = readForm(body);
  const problems = await checkSchema('slack', definition, call);
  return path.startsWith('/api/chat.') ? [...problems, ...checkSlackLimits(call, users)] : problems;
}

/** A form carries text alone: JSON where it is a list or an object, `true` and `false` for yes and no. */
function readForm(form: JsonObject): JsonObject {
  const entries = Object.entries(form).map(([name, value]) => [name, readField(name, value)] as const);
  return Object.fromEntries(entries);
}

const jsonFields = new Set(['blocks', 'attachments', 'metadata', 'files']);

function readField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (jsonFields.has(name)) return JSON.parse(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

async function checkNotionCall({ method, path, body }: InterceptedCall): Promise<readonly string[]> {
  for (const [itsMethod, pattern, definition, idName] of notionDefinitions) {
    const match = method === itsMethod ? pattern.exec(path) : null;
    if (match === null) continue;
    const id = idName === undefined ? {} : { [idName]: match[1] };
    const call = { ...id, ...(isObject(body) ? body : {}) };
    return [...(await checkSchema('notion', definition, call)), ...checkNotionLimits(body)];
  }
  return [];
}
