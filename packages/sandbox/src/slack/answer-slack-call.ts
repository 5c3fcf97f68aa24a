import type { Answer, Call } from '../stand-ins/create-stand-in-app.ts';
import type { ReceivedLog } from '../stand-ins/received-log.ts';
import { listSlackHistory } from './list-slack-history.ts';
import { readSlackMessage } from './post-slack-message.ts';
import { historyArguments, postMessageArguments } from './read-slack-arguments.ts';
import { findChannelById, type SlackChannel } from './slack-channels.ts';
import {
  slackObjectSchema,
  type SlackMessage,
  type SlackObject,
  type SlackRefusal,
} from './slack-message.ts';

interface SlackWorld {
  readonly log: ReceivedLog<SlackMessage>;
  readonly channels: readonly SlackChannel[] | undefined;
  readonly makeTs: () => string;
}

const scopes = 'chat:write,channels:history,groups:history,im:history,mpim:history';
const bot = { user_id: 'U0AFTERMEET', bot_id: 'B0AFTERMEET', team_id: 'T0SANDBOX', app_id: 'A0AFTERMEET' };

/** Plays Slack's Web API: every answer is a 200 whose `ok` tells, as at Slack. */
export function createSlackCaller(world: SlackWorld): (call: Call) => Answer {
  return (call) => {
    const given = readGiven(call);
    const refusal = checkToken(call, given);
    return {
      status: 200,
      headers: { 'x-oauth-scopes': scopes },
      body: refusal === undefined ? answerMethod(world, call, given) : describeRefusal(refusal),
    };
  };
}

/** Arguments come in the query of a GET, and in the body of a POST, as a form or as JSON. */
function readGiven(call: Call): SlackObject {
  const body = slackObjectSchema.safeParse(call.body);
  return { ...call.query, ...(body.success ? body.data : {}) };
}

function checkToken(call: Call, given: SlackObject): SlackRefusal | undefined {
  const header = /^Bearer (.+)$/i.exec(call.header('authorization') ?? '')?.[1];
  const token = header ?? given['token'];
  if (typeof token !== 'string' || token === '') return { error: 'not_authed' };
  return /^xoxb-[\w-]+$/.test(token) ? undefined : { error: 'invalid_auth' };
}

function answerMethod(world: SlackWorld, call: Call, given: SlackObject): object {
  const method = call.path.replace(/^\/api\//, '');
  if (method === 'auth.test') return answerAuthTest();
  if (method === 'chat.postMessage' && call.method === 'POST') return answerPostMessage(world, given);
  if (method === 'conversations.history') return answerHistory(world, given);
  return describeRefusal({ error: 'unknown_method' });
}

function answerAuthTest(): object {
  return {
    ok: true,
    url: 'https://aftermeet-sandbox.slack.com/',
    team: 'Aftermeet sandbox',
    user: 'aftermeet',
    team_id: bot.team_id,
    user_id: bot.user_id,
    bot_id: bot.bot_id,
    is_enterprise_install: false,
  };
}

function answerPostMessage(world: SlackWorld, given: SlackObject): object {
  const outcome = readSlackMessage(postMessageArguments.parse(given), world.channels, world.makeTs);
  if ('error' in outcome) return describeRefusal(outcome);
  world.log.add(outcome);
  return { ok: true, channel: outcome.channel, ts: outcome.ts, message: describeMessage(outcome, true) };
}

function answerHistory(world: SlackWorld, given: SlackObject): object {
  const asked = historyArguments.parse(given);
  const channel = findChannelById(asked.channel ?? '', world.channels);
  if (channel === undefined) return describeRefusal({ error: 'channel_not_found' });
  const page = listSlackHistory(world.log.list(), channel, asked);
  return {
    ok: true,
    messages: page.messages.map((message) => describeMessage(message, asked.include_all_metadata)),
    has_more: page.hasMore,
    pin_count: 0,
    response_metadata: { next_cursor: page.nextCursor },
  };
}

function describeMessage(message: SlackMessage, withMetadata: boolean): object {
  return {
    type: 'message',
    user: bot.user_id,
    bot_id: bot.bot_id,
    app_id: bot.app_id,
    team: bot.team_id,
    ts: message.ts,
    text: message.text,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  };
}

function describeRefusal({ error, details }: SlackRefusal): object {
  if (details === undefined) return { ok: false, error };
  const messages = details.map((detail) => `[ERROR] ${detail}`);
  return { ok: false, error, errors: details, response_metadata: { messages } };
}
