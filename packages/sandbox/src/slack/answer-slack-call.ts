import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Answer, Call } from '../stand-ins/create-stand-in-app.ts';
import { loadVendorSchema } from '../stand-ins/vendor-schema.ts';
import { readSlackArguments } from './read-slack-arguments.ts';
import type { SlackBot } from './slack-bots.ts';
import type { SlackErrorFault } from './slack-faults.ts';
import { slackObjectSchema, type SlackObject } from './slack-message.ts';
import { slackMethods } from './slack-methods.ts';
import { describeRefusal, type SlackRefusal } from './slack-refusal.ts';
import type { SlackMethod, SlackWorld } from './slack-world.ts';

export interface SlackCaller {
  readonly world: SlackWorld;
  readonly errorFaults: FaultPlan<SlackErrorFault>;
  readonly findBot: (token: string) => SlackBot;
}

const minuteMs = 60_000;

/** Plays Slack's Web API: every answer but `ratelimited` is a 200 whose `ok` tells, as at Slack. */
export function createSlackCaller({
  world,
  errorFaults,
  findBot,
}: SlackCaller): (call: Call) => Promise<Answer> {
  return async (call) => {
    const given = readGiven(call);
    const name = call.path.replace(/^\/api\//, '');
    const method = slackMethods.get(name);
    if (method === undefined) return answer(world, describeRefusal({ error: 'unknown_method' }));
    const token = readToken(call, given);
    const refusal = refuseToken(world, token) ?? refuseScope(world, method, given);
    if (refusal !== undefined) return answer(world, describeRefusal(refusal));
    const waitSeconds = pace(world, name, given);
    if (waitSeconds > 0) return answerTooFast(waitSeconds);
    const fault = errorFaults.take(name);
    if (fault?.is_applied === false) return answer(world, describeRefusal(fault));
    const played = await playMethod({ world, errorFaults, findBot }, method, call, given, token);
    return answer(
      world,
      fault === undefined || 'error' in played ? describe(played) : describeRefusal(fault),
    );
  };
}

async function playMethod(
  { world, findBot }: SlackCaller,
  method: SlackMethod,
  call: Call,
  given: SlackObject,
  token: string,
): Promise<object> {
  const schema = await loadVendorSchema('slack');
  const read =
    method.definition === undefined ? { given } : readSlackArguments(given, method.definition, schema);
  if ('error' in read) return read;
  const origin = `http://${call.header('host') ?? '127.0.0.1'}`;
  return method.play({ world, schema, bot: findBot(token), origin }, read.given);
}

function describe(played: object | SlackRefusal): object {
  return 'error' in played ? describeRefusal(played) : { ok: true, ...played };
}

function answer(world: SlackWorld, body: object): Answer {
  return { status: 200, headers: { 'x-oauth-scopes': world.knobs.read().scopes.join(',') }, body };
}

/** https://docs.slack.dev/apis/web-api/rate-limits */
function answerTooFast(waitSeconds: number): Answer {
  const body = describeRefusal({ error: 'ratelimited' });
  return { status: 429, headers: { 'Retry-After': String(waitSeconds) }, body };
}

/** Arguments come in the query of a GET, and in the body of a POST, as a form or as JSON. */
function readGiven(call: Call): SlackObject {
  const body = slackObjectSchema.safeParse(call.body);
  return { ...call.query, ...(body.success ? body.data : {}) };
}

/** '' when there is none. */
function readToken(call: Call, given: SlackObject): string {
  const token = /^Bearer (.+)$/i.exec(call.header('authorization') ?? '')?.[1] ?? given['token'];
  return typeof token === 'string' ? token : '';
}

const endedTokens = {
  revoked: 'token_revoked',
  expired: 'token_expired',
  inactive: 'account_inactive',
} as const;

function refuseToken(world: SlackWorld, token: string): SlackRefusal | undefined {
  if (token === '') return { error: 'not_authed' };
  if (!/^xox[bp]-[\w-]+$/.test(token)) return { error: 'invalid_auth' };
  const { token: state } = world.knobs.read();
  return state === 'active' ? undefined : { error: endedTokens[state] };
}

function refuseScope(
  world: SlackWorld,
  { scope: needed }: SlackMethod,
  given: SlackObject,
): SlackRefusal | undefined {
  const { scopes } = world.knobs.read();
  const scope = typeof needed === 'function' ? needed(world, given) : needed;
  if (scope === undefined || scopes.includes(scope)) return undefined;
  return { error: 'missing_scope', facts: { needed: scope, provided: scopes.join(',') } };
}

/** Whole seconds to wait; 0: the call may pass. */
function pace(world: SlackWorld, name: string, given: SlackObject): number {
  const knobs = world.knobs.read();
  const isMessage = name === 'chat.postMessage' && knobs.messages_per_second !== null;
  const perMessageMs = 1000 / (knobs.messages_per_second ?? 1);
  const ofChannel = isMessage ? world.pace.take(`channel ${String(given['channel'])}`, 1, perMessageMs) : 0;
  if (ofChannel > 0 || knobs.calls_per_minute === null) return ofChannel;
  return world.pace.take(`method ${name}`, knobs.calls_per_minute, minuteMs);
}
