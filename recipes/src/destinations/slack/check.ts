import type { ConversationsListArguments, WebClient } from '@slack/web-api';
import { z } from 'zod';

import { type CheckResult, failed, ok, warning } from '../../engine/check-result.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { slackChannelId } from './message.ts';
import type { SlackSettings } from './settings.ts';

const authSchema = z.object({
  team: z.string().optional(),
  user: z.string().optional(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});
const infoSchema = z.object({
  channel: z.object({
    name: z.string().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
    is_private: z.boolean().optional(),
    is_im: z.boolean().optional(),
  }),
});

const listSchema = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string().optional() })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Slack asks for at most 200 channels a page (docs.slack.dev, conversations.list), and takes about 20 calls a minute. */
const CHANNELS_PER_PAGE = 200;
const MAX_PAGES = 20;

/** What one recipe does in Slack. */
export interface SlackNeed {
  /** The id of a channel that it posts to; undefined: the one of the settings, or none with `writesToPeople`. */
  readonly channel?: string | undefined;
  /** It uploads a file. */
  readonly hasFiles?: boolean | undefined;
  /** It looks up members by address. */
  readonly findsPeople?: boolean | undefined;
  /** It sends direct messages. */
  readonly writesToPeople?: boolean | undefined;
}

/**
 * Checks whom the token belongs to (auth.test), its scopes (header x-oauth-scopes), and whether each channel can be posted to
 * (conversations.info). Posts nothing. Never throws.
 */
export async function checkSlack(
  settings: SlackSettings,
  needs: readonly SlackNeed[],
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  const client = openSlackClient(settings, timeoutMs);
  try {
    const answer = authSchema.parse(await client.auth.test());
    const scopes = answer.response_metadata?.scopes;
    const team = answer.team === undefined ? '' : ` of ${answer.team}`;
    return [
      ok('Slack token', `Slack takes it: ${answer.user ?? 'a bot'}${team}`),
      checkScopes(scopes, needs),
      ...(await Promise.all(
        listChannels(needs, settings).map((channel) => checkChannel(client, channel, scopes)),
      )),
    ];
  } catch (error) {
    return [failed('Slack token', explain(error), advise(error))];
  }
}

/** Looks for channels by their names, such as `#sales` (conversations.list), to propose their ids. Never throws. */
export async function findSlackChannels(
  settings: SlackSettings,
  names: readonly string[],
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  try {
    const ids = await listIds(openSlackClient(settings, timeoutMs), names);
    return names.map((name) => {
      const id = ids.get(name);
      return id === undefined
        ? failed(
            nameCheck(name),
            'Slack shows no such channel',
            'Check its name; into a private one invite the app first. The details of the channel in Slack show its id.',
          )
        : failed(nameCheck(name), `its id is ${id}`, `Write ${id} in place of ${name}.`);
    });
  } catch (error) {
    const advice =
      readCode(error) === 'missing_scope' ? 'Add channels:read and groups:read to the app.' : advise(error);
    return names.map((name) => failed(nameCheck(name), explain(error), advice));
  }
}

function nameCheck(channel: string): string {
  return `Slack channel ${channel}`;
}

/** The ids of those channels that Slack lists, by their names with `#`. */
async function listIds(client: WebClient, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const request: ConversationsListArguments = {
    types: 'public_channel,private_channel',
    exclude_archived: true,
    limit: CHANNELS_PER_PAGE,
  };
  for (let page = 0; page < MAX_PAGES && ids.size < names.length; page++) {
    const answer = listSchema.parse(await client.conversations.list(request));
    for (const { id, name } of answer.channels) if (names.includes(`#${name}`)) ids.set(`#${name}`, id);
    const next = answer.response_metadata?.next_cursor ?? '';
    if (next === '') break;
    request.cursor = next;
  }
  return ids;
}

/** The ids of channels that are posted to. */
export function listChannels(
  needs: readonly SlackNeed[],
  { channel: usual }: SlackSettings,
): readonly string[] {
  const named = needs.map(
    ({ channel, writesToPeople }) => channel ?? (writesToPeople === true ? undefined : usual),
  );
  return [...new Set(named)].filter((id): id is string => id !== undefined && slackChannelId.test(id));
}

/** Scopes by purpose (docs.slack.dev); without the first nothing can be posted. */
function checkScopes(scopes: readonly string[] | undefined, needs: readonly SlackNeed[]): CheckResult {
  const name = 'Slack scopes';
  if (scopes === undefined) return warning(name, 'Slack did not say what the token may do');
  const wanted = [
    { scope: 'channels:history', what: 'finding a message whose outcome is unknown' },
    { scope: 'groups:history', what: 'the same in private channels' },
    ...(needs.some(({ findsPeople }) => findsPeople)
      ? [
          { scope: 'users:read', what: 'finding people by their addresses' },
          { scope: 'users:read.email', what: 'finding people by their addresses' },
        ]
      : []),
    ...(needs.some(({ writesToPeople }) => writesToPeople)
      ? [
          { scope: 'im:write', what: 'writing to people' },
          { scope: 'im:history', what: 'looking for what may have been written to them' },
        ]
      : []),
    ...(needs.some(({ hasFiles }) => hasFiles)
      ? [{ scope: 'files:write', what: 'attaching the export' }]
      : []),
  ];
  const advice = 'Add them under OAuth & Permissions of the app, and install it again.';
  if (!scopes.includes('chat:write'))
    return failed(name, 'chat:write is missing: nothing can be posted', advice);
  const missing = wanted.filter(({ scope }) => !scopes.includes(scope));
  if (missing.length === 0) return ok(name, 'all that the recipes need');
  return warning(
    name,
    `missing: ${missing.map(({ scope, what }) => `${scope} (${what})`).join(', ')}`,
    advice,
  );
}

async function checkChannel(
  client: WebClient,
  channel: string,
  scopes: readonly string[] | undefined,
): Promise<CheckResult> {
  const name = nameCheck(channel);
  try {
    const { channel: found } = infoSchema.parse(await client.conversations.info({ channel }));
    const shown = found.name === undefined ? 'it is there' : `#${found.name}`;
    if (found.is_archived === true) return failed(name, `${shown} is archived`, 'Choose another channel.');
    if (found.is_member === true || found.is_im === true) return ok(name, shown);
    if (found.is_member === undefined) {
      return warning(name, `${shown}: Slack does not say whether the app is a member`);
    }
    const advice = 'Invite the app there: /invite @ and its name.';
    return scopes?.includes('chat:write.public') === true
      ? warning(
          name,
          `${shown}: the app can post, but is no member, so it can't look for what it posted`,
          advice,
        )
      : failed(name, `${shown}: the app is no member`, advice);
  } catch (error) {
    const code = readCode(error);
    if (code === 'missing_scope') {
      return warning(
        name,
        'the token may not look at channels',
        'Add channels:read and groups:read to the app.',
      );
    }
    if (code === 'channel_not_found') {
      return failed(
        name,
        'Slack knows no such channel',
        'Check its id; into a private one invite the app first.',
      );
    }
    return failed(name, explain(error));
  }
}

function readCode(error: unknown): string | undefined {
  const parsed = z.object({ data: z.object({ error: z.string() }) }).safeParse(error);
  return parsed.data?.data.error;
}

/** Advises a new token only when Slack refused this one. */
function advise(error: unknown): string {
  if (readCode(error) !== undefined) return 'OAuth & Permissions of the app shows its bot token.';
  return 'Can this machine reach Slack, and is SLACK_API_URL right, where it is set?';
}

function explain(error: unknown): string {
  return error instanceof z.ZodError ? "Slack's answer cannot be read" : classifySlackError(error).cause;
}
