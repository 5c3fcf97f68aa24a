import { createHash } from 'node:crypto';

import { type LooseObject } from '@aftermeet/pages';
import { z } from 'zod';

import type { FaultPlan } from '../../faults.ts';
import type { Answer, Call } from '../emulator.ts';
import { loadVendorSchema, type VendorSchema } from '../vendor-schema.ts';
import { describeProblems } from './blocks.ts';
import {
  deleteMessage,
  getPermalink,
  openView,
  parseJson,
  postEphemeral,
  postMessage,
  updateMessage,
} from './chat.ts';
import {
  getConversation,
  getHistory,
  getReplies,
  listConversations,
  openConversation,
} from './conversations.ts';
import { completeUpload, deleteFile, getUploadUrl } from './files.ts';
import type { SlackFault } from './options.ts';
import type { SlackBot, SlackMethod, SlackRefusal, SlackState } from './state.ts';
import { getUser, listUsers, lookUpUserByEmail, testAuth } from './users.ts';

/** Every emulated method. */
const methods: ReadonlyMap<string, SlackMethod> = new Map([
  ['auth.test', testAuth],
  ['chat.delete', deleteMessage],
  ['chat.getPermalink', getPermalink],
  ['chat.postEphemeral', postEphemeral],
  ['chat.postMessage', postMessage],
  ['chat.update', updateMessage],
  ['conversations.history', getHistory],
  ['conversations.info', getConversation],
  ['conversations.list', listConversations],
  ['conversations.open', openConversation],
  ['conversations.replies', getReplies],
  ['files.completeUploadExternal', completeUpload],
  ['files.delete', deleteFile],
  ['files.getUploadURLExternal', getUploadUrl],
  ['users.info', getUser],
  ['users.list', listUsers],
  ['users.lookupByEmail', lookUpUserByEmail],
  ['views.open', openView],
]);

/** What a fault can be on: a method, or the address that a file is uploaded to. */
export const slackTargets = [...methods.keys(), 'upload'];

/** The target that a request means; undefined if none. */
export function slackTargetOf(path: string): string | undefined {
  if (path.startsWith('/upload/')) return 'upload';
  const method = /^\/api\/([^/]+)$/.exec(path)?.[1];
  return method !== undefined && methods.has(method) ? method : undefined;
}

/** Answers calls of the Web API: every answer is a 200 with `ok`, as Slack's are but `ratelimited`. */
export function createSlackApi(
  state: SlackState,
  faults: FaultPlan<SlackFault>,
): (call: Call) => Promise<Answer> {
  const findBot = createBotRegistry();

  async function handle(method: SlackMethod, call: Call, args: LooseObject, token: string): Promise<object> {
    const schema = await loadVendorSchema('slack');
    const parsed =
      method.definition === undefined ? { args } : parseArguments(args, method.definition, schema);
    if ('error' in parsed) return parsed;
    const origin = `http://${call.header('host') ?? '127.0.0.1'}`;
    return method.handle({ state, schema, bot: findBot(token), origin }, parsed.args);
  }

  return async (call) => {
    const args = collectArguments(call);
    const name = call.path.replace(/^\/api\//, '');
    const method = methods.get(name);
    if (method === undefined) return answer(state, refuseUnknownMethod(name));
    const token = tokenOf(call, args);
    const refusal = refuseToken(state, token) ?? refuseScope(state, method, args);
    if (refusal !== undefined) return answer(state, refusal);
    const fault = faults.take(name, ['error']);
    if (fault?.is_applied === false) return answer(state, { error: fault.error });
    const outcome = await handle(method, call, args, token);
    return answer(state, fault === undefined || 'error' in outcome ? outcome : { error: fault.error });
  };
}

function refuseUnknownMethod(name: string): SlackRefusal {
  const list = [...methods.keys()].join(', ');
  return { error: 'unknown_method', details: [`the emulator has no ${name.slice(0, 100)}; it has ${list}`] };
}

/** One app per token, in the order in which they come: an app cannot update the messages of another. Tokens are kept as hashes. */
function createBotRegistry(): (token: string) => SlackBot {
  const bots = new Map<string, SlackBot>();
  return (token) => {
    const key = createHash('sha256').update(token).digest('hex');
    const known = bots.get(key);
    if (known !== undefined) return known;
    const name = `0AFTERMEET${bots.size === 0 ? '' : String(bots.size + 1)}`;
    const bot = { userId: `U${name}`, botId: `B${name}` };
    bots.set(key, bot);
    return bot;
  };
}

const objectSchema = z.record(z.string(), z.unknown());

/** Arguments come in the query of a GET, or in the body of a POST as a form or JSON. */
function collectArguments(call: Call): LooseObject {
  const body = objectSchema.safeParse(call.body);
  return { ...call.query, ...(body.success ? body.data : {}) };
}

/** '' without a token. */
function tokenOf(call: Call, args: LooseObject): string {
  const token = /^Bearer (.+)$/i.exec(call.header('authorization') ?? '')?.[1] ?? args['token'];
  return typeof token === 'string' ? token : '';
}

const tokenErrors = {
  revoked: 'token_revoked',
  expired: 'token_expired',
  inactive: 'account_inactive',
} as const;

function refuseToken({ options }: SlackState, token: string): SlackRefusal | undefined {
  if (token === '') return { error: 'not_authed' };
  if (!/^xox[bp]-[\w-]+$/.test(token)) return { error: 'invalid_auth' };
  const { token: status } = options.get();
  return status === 'active' ? undefined : { error: tokenErrors[status] };
}

function refuseScope(state: SlackState, method: SlackMethod, args: LooseObject): SlackRefusal | undefined {
  const { scopes } = state.options.get();
  const needed = typeof method.scope === 'function' ? method.scope(args, state.channels) : method.scope;
  if (needed === undefined || scopes.includes(needed)) return undefined;
  return { error: 'missing_scope', fields: { needed, provided: scopes.join(',') } };
}

function answer({ options }: SlackState, outcome: object | SlackRefusal): Answer {
  const headers = { 'x-oauth-scopes': options.get().scopes.join(',') };
  const body = 'error' in outcome ? describeRefusal(outcome) : { ok: true, ...outcome };
  return { status: 200, headers, body };
}

function describeRefusal({ error, details, fields }: SlackRefusal): object {
  return {
    ok: false,
    error,
    ...fields,
    ...(error === 'invalid_blocks' ? { errors: details } : {}),
    ...(details === undefined
      ? {}
      : { response_metadata: { messages: details.map((detail) => `[ERROR] ${detail}`) } }),
  };
}

const definitionSchema = z.object({
  properties: z.record(z.string(), z.object({ type: z.string().optional() })),
});

/** Slack's error for one of these that is invalid; for every other argument it is `invalid_arguments`. */
const argumentErrors: Readonly<Record<string, string>> = {
  blocks: 'invalid_blocks_format',
  metadata: 'invalid_metadata_format',
};

/**
 * Parses the arguments of a method by the SDK's type for them. A form holds only text, which Slack parses: `true` and
 * `1` as true, JSON as a list or an object. Arguments that the type does not name are allowed.
 */
function parseArguments(
  given: LooseObject,
  definition: string,
  schema: VendorSchema,
): { readonly args: LooseObject } | SlackRefusal {
  const { properties } = definitionSchema.parse(schema.get(definition));
  const args: LooseObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== null && value !== undefined) args[name] = convert(value, properties[name]?.type);
  }
  const problems = schema.check(definition, args);
  if (problems.length === 0) return { args };
  const error = problems
    .map(({ pointer }) => argumentErrors[pointer.slice(1)])
    .find((known) => known !== undefined);
  return error === undefined
    ? { error: 'invalid_arguments', details: describeProblems(problems, '') }
    : { error };
}

/** The value as the type wants it; unchanged when it cannot be converted, for the schema to refuse. */
function convert(value: unknown, type: string | undefined): unknown {
  if (type === 'boolean') return !['', '0', 'false'].includes(String(value).toLowerCase());
  if (type === 'string' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  if (type === 'number') {
    const number = Number(value);
    return value.trim() !== '' && Number.isFinite(number) ? number : value;
  }
  return type === 'array' || type === 'object' ? parseJson(value) : value;
}
