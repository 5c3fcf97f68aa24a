import { type Destination, openWhenLoaded } from '../../engine/destination.ts';
import { hashTarget } from '../../engine/effect-key.ts';
import type { SlackNeed } from './check.ts';
import { slackChannelId, type SlackMessage } from './message.ts';
import { renderApprovalRequest } from './render-approval.ts';
import type { SlackSettings } from './settings.ts';

/** Messages in channels and to people, over the Web API. */
export const slack: Destination<SlackSettings, SlackMessage, SlackNeed> = {
  name: 'slack',
  policy: {
    // Slack takes about one message a second in a channel (docs.slack.dev, Rate limits).
    gapMs: 1000,
    shareRateLimit: ({ target }) => ({
      name: `slack ${slackChannelId.test(target) ? target : hashTarget(target)}`,
    }),
  },
  needs: 'SLACK_BOT_TOKEN',
  target: {
    option: 'channel',
    expected: 'the id of a channel, or SLACK_CHANNEL',
    read: ({ channel }) => channel,
  },
  check: (settings, needs, timeoutMs) => [
    import('./check.ts').then(({ checkSlack }) =>
      checkSlack(
        settings,
        needs.map(({ need }) => need),
        timeoutMs,
      ),
    ),
  ],
  readRecipients: ({ person }) => [person?.email ?? [], person?.userId ?? []].flat(),
  askApproval: renderApprovalRequest,
  draw: async (message) => (await import('./draw.ts')).drawSlackMessage(message),
  write: async (message) => (await import('./draw.ts')).writeSlackMessage(message),
  locate: async (...asked) => (await import('./sent-message.ts')).locateMessage(...asked),
  recall: async (...asked) => (await import('./sent-message.ts')).recallMessage(...asked),
  open: (settings, { policy, service, clock }) =>
    openWhenLoaded(async () => {
      const { openSlack } = await import('./connector.ts');
      return openSlack(settings, policy.timeoutMs, service, clock);
    }),
};
