import type { WebClient } from '@slack/web-api';

import { readSlackCode } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { readMember } from './people.ts';
import { renderAnswered, renderEditForm } from './render-approval.ts';
import type { SlackSettings } from './settings.ts';

interface Place {
  readonly channel: string;
  readonly ts: string;
}

type Draft = Parameters<typeof renderAnswered>[0];

/** What answering a request for approval asks of Slack. Nothing here throws; a failure is its code. */
export interface SlackApprovalCalls {
  /** Replaces a request by what became of it. */
  showAnswer(place: Place, draft: Draft, sentence: string, userId?: string): Promise<Failure>;
  /** Shows these blocks in place of those of a message. */
  replace(place: Place, text: string, blocks: readonly object[]): Promise<Failure>;
  /** Says something to one member of a channel. */
  tell(channel: string, userId: string, sentence: string): Promise<Failure>;
  openForm(triggerId: string, draft: Draft, metadata: string): Promise<Failure>;
  /** Whether a member may answer who was not named: no guest, no app, and of this workspace. */
  isFullMember(userId: string): Promise<{ readonly isFull: boolean } | { readonly failure: string }>;
}

/** Undefined: it is done. */
type Failure = string | undefined;

/** Slack shows a warning when the answer to a click takes longer than three seconds. */
const TIMEOUT_MS = 2500;

export function openSlackApprovalCalls(settings: SlackSettings): SlackApprovalCalls {
  const client = openSlackClient(settings, TIMEOUT_MS);
  return {
    showAnswer: ({ channel, ts }, draft, sentence, userId) => {
      const { text, blocks } = renderAnswered(draft, sentence, userId);
      return attempt(() => client.chat.update({ channel, ts, text, blocks: [...blocks] }));
    },
    replace: ({ channel, ts }, text, blocks) =>
      // As it came from Slack: the library's types of blocks do not fit what was not made here.
      attempt(() => client.apiCall('chat.update', { channel, ts, text, blocks: JSON.stringify(blocks) })),
    tell: (channel, user, text) => attempt(() => client.chat.postEphemeral({ channel, user, text })),
    openForm: (triggerId, draft, metadata) =>
      attempt(() => client.views.open({ trigger_id: triggerId, view: renderEditForm(draft, metadata) })),
    isFullMember: async (user) => await askForMember(client, user),
  };
}

async function askForMember(client: WebClient, user: string) {
  try {
    return { isFull: readMember(await client.users.info({ user })) !== undefined };
  } catch (error) {
    return { failure: readSlackCode(error) ?? 'no answer' };
  }
}

async function attempt(call: () => Promise<unknown>): Promise<Failure> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return readSlackCode(error) ?? 'no answer';
  }
}
