import { type LooseObject } from '@aftermeet/pages';
import { z } from 'zod';

import type { VendorSchema } from '../vendor-schema.ts';
import { checkBlocks, checkMetadata } from './blocks.ts';
import { findChannel, refuseWriting, resolveChannel } from './conversations.ts';
import { describeMessage, findMessage, refuseThread } from './messages.ts';
import type { SlackCall, SlackMessage, SlackMetadata, SlackMethod, SlackRefusal } from './state.ts';

const postSchema = z.object({
  channel: z.string(),
  thread_ts: z.string().optional(),
});

/** https://docs.slack.dev/reference/methods/chat.postMessage. A repeated call posts a second message: Slack does not deduplicate. */
export const postMessage: SlackMethod = {
  definition: 'ChatPostMessageArguments',
  scope: 'chat:write',
  handle({ state, schema, bot }, args) {
    const { channel: asked, thread_ts: threadTs } = postSchema.parse(args);
    const channel = resolveChannel(asked, state.channels);
    if (channel === undefined) return { error: 'channel_not_found' };
    const refusal = refuseWriting(channel, state.channels) ?? refuseThread(state, channel, threadTs);
    if (refusal !== undefined) return refusal;
    const content = parseContent(args, schema);
    if ('error' in content) return content;
    if (isEmpty(content)) return { error: 'no_text' };
    const { text = '', ...parts } = content;
    const message: SlackMessage = {
      channel,
      ts: state.makeTs(),
      botId: bot.botId,
      text,
      ...parts,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...pickOtherArguments(args),
    };
    state.messages.add(message);
    return {
      channel,
      ts: message.ts,
      message: describeMessage(state, message, true),
    };
  },
};

const ephemeralSchema = z.object({ channel: z.string(), user: z.string(), text: z.string().default('') });

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
export const postEphemeral: SlackMethod = {
  scope: 'chat:write',
  handle({ state }, args) {
    const { channel: asked, user, text } = ephemeralSchema.parse(args);
    const channel = resolveChannel(asked, state.channels);
    if (channel === undefined) return { error: 'channel_not_found' };
    if (!state.users.some(({ id }) => id === user)) return { error: 'user_not_in_channel' };
    if (text === '') return { error: 'no_text' };
    state.shown.add({ kind: 'ephemeral', channel, user, text });
    return { message_ts: state.makeTs() };
  },
};

const viewSchema = z.object({ trigger_id: z.string(), view: z.record(z.string(), z.unknown()) });

/** https://docs.slack.dev/reference/methods/views.open. The form is kept, not shown. In a form the view is JSON text. */
export const openView: SlackMethod = {
  handle({ state }, { view: given, ...args }) {
    const view = typeof given === 'string' ? parseJson(given) : given;
    const opened = viewSchema.safeParse({ ...args, view });
    if (!opened.success) return { error: 'invalid_arguments' };
    state.shown.add({ kind: 'view', triggerId: opened.data.trigger_id, view: opened.data.view });
    return { view: { id: `V${state.makeTs().replace('.', '')}`, ...opened.data.view } };
  },
};

/** The text itself when it is no JSON, for the schema to refuse. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const otherArgumentNames = ['unfurl_links', 'unfurl_media'];

function pickOtherArguments(args: LooseObject): Pick<SlackMessage, 'otherArguments'> {
  const picked = Object.entries(args).filter(([name]) => otherArgumentNames.includes(name));
  return picked.length === 0 ? {} : { otherArguments: Object.fromEntries(picked) };
}

/** A tenth of what a new message takes: https://docs.slack.dev/reference/methods/chat.update (`msg_too_long`) */
const maxUpdateBytes = 4000;

const updateSchema = z.object({
  text: z.string().optional(),
  channel: z.string(),
  ts: z.string(),
  metadata: z.unknown().optional(),
});

/**
 * https://docs.slack.dev/reference/methods/chat.update: what is not given stays, but a text without blocks replaces the
 * blocks, and an empty object removes the metadata.
 */
export const updateMessage: SlackMethod = {
  definition: 'ChatUpdateArguments',
  scope: 'chat:write',
  handle(call, args) {
    const { state, schema } = call;
    const { channel, ts, text: sentText = '', metadata } = updateSchema.parse(args);
    const known = findOwnMessage(call, channel, ts, 'cant_update_message');
    if ('error' in known) return known;
    const { edit_window_minutes: minutes } = state.options.get();
    if (minutes !== null && state.now() > Number(known.ts) * 1000 + minutes * 60_000) {
      return { error: 'edit_window_closed' };
    }
    const content = parseContent(args, schema);
    if ('error' in content) return content;
    if (Buffer.byteLength(escapeText(sentText)) > maxUpdateBytes) return { error: 'msg_too_long' };
    const { blocks, metadata: knownMetadata, ...unchanged } = known;
    const next: SlackMessage = {
      ...unchanged,
      ...(args['text'] === undefined && blocks !== undefined ? { blocks } : {}),
      ...(metadata === undefined && knownMetadata !== undefined ? { metadata: knownMetadata } : {}),
      ...content,
      editedTs: state.makeTs(),
    };
    if (isEmpty(next)) return { error: 'no_text' };
    state.messages.replace(known, next);
    return {
      channel: next.channel,
      ts: next.ts,
      text: next.text,
      message: describeMessage(state, next, true),
    };
  },
};

/** As Slack stores it: everything but escapes and markup (`<!here>`, `<https://…>`) is escaped. */
function escapeText(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replaceAll(
    /<(?:[@#!]|[a-z]+:)[^<>]*>|&(?:amp|lt|gt);|[&<>]/g,
    (found) => escapes[found] ?? found,
  );
}

const permalinkSchema = z.object({ channel: z.string(), message_ts: z.string() });

/** https://docs.slack.dev/reference/methods/chat.getPermalink: an address of this emulator. */
export const getPermalink: SlackMethod = {
  handle({ state, origin }, args) {
    const { channel: asked, message_ts: ts } = permalinkSchema.parse(args);
    const channel = findChannel(asked, state.channels);
    if (channel === undefined) return { error: 'channel_not_found' };
    if (findMessage(state, channel, ts) === undefined) return { error: 'message_not_found' };
    return { channel, permalink: `${origin}/#${ts}` };
  },
};

/** https://docs.slack.dev/reference/methods/chat.delete */
export const deleteMessage: SlackMethod = {
  definition: 'ChatDeleteArguments',
  scope: 'chat:write',
  handle(call, args) {
    const { channel, ts } = updateSchema.parse(args);
    const known = findOwnMessage(call, channel, ts, 'cant_delete_message');
    if ('error' in known) return known;
    call.state.messages.remove(known);
    return { channel, ts };
  },
};

/** A message of the calling app; `notOwn` is the error for a message of another app. */
function findOwnMessage(
  { state, bot }: SlackCall,
  channelAsked: string,
  ts: string,
  notOwn: string,
): SlackMessage | SlackRefusal {
  const channel = findChannel(channelAsked, state.channels);
  if (channel === undefined) return { error: 'channel_not_found' };
  const refusal = refuseWriting(channel, state.channels);
  if (refusal !== undefined) return refusal;
  const message = findMessage(state, channel, ts);
  if (message === undefined) return { error: 'message_not_found' };
  return message.botId === bot.botId ? message : { error: notOwn };
}

interface MessageContent {
  readonly text?: string;
  readonly blocks?: readonly LooseObject[];
  readonly metadata?: SlackMetadata;
}

/** Slack cuts a longer text, with a warning; here it is refused, so that no text is lost silently. */
const maxTextLength = 40_000;

const contentSchema = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  metadata: z.unknown().optional(),
});

/** What Slack knows and the emulator does not. */
const unsupported = ['attachments', 'markdown_text', 'reply_broadcast'];

/** The content of a message, checked. An empty object as metadata means none. */
function parseContent(args: LooseObject, schema: VendorSchema): MessageContent | SlackRefusal {
  const other = unsupported.find((name) => args[name] !== undefined);
  if (other !== undefined) {
    return { error: 'invalid_arguments', details: [`the emulator has no ${other}`] };
  }
  const { text, ...asked } = contentSchema.parse(args);
  if ((text?.length ?? 0) > maxTextLength) return { error: 'msg_too_long' };
  const blocks = asked.blocks === undefined ? undefined : checkBlocks(asked.blocks, schema);
  if (blocks !== undefined && 'error' in blocks) return blocks;
  const metadata = isEmptyObject(asked.metadata) ? undefined : checkMetadata(asked.metadata, schema);
  if (metadata !== undefined && 'error' in metadata) return metadata;
  return {
    ...(text === undefined ? {} : { text }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function isEmptyObject(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}

function isEmpty({ text = '', blocks = [] }: Pick<MessageContent, 'text' | 'blocks'>): boolean {
  return text.trim() === '' && blocks.length === 0;
}
