import { teamId } from '../slack-bots.ts';
import type { SlackMethod } from '../slack-world.ts';

/** https://docs.slack.dev/reference/methods/auth.test */
export const testAuth: SlackMethod = {
  play: ({ bot }) => ({
    url: 'https://aftermeet-sandbox.slack.com/',
    team: 'Aftermeet sandbox',
    user: 'aftermeet',
    team_id: teamId,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  }),
};
