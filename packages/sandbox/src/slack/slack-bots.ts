import { createHash } from 'node:crypto';

/** Who a token acts for. */
export interface SlackBot {
  readonly userId: string;
  readonly botId: string;
  readonly appId: string;
}

export const teamId = 'T0SANDBOX';

/** One app for each token, in the order in which they came: what one posted, another cannot update. Tokens are not kept. */
export function createBotRegistry(): (token: string) => SlackBot {
  const bots = new Map<string, SlackBot>();
  return (token) => {
    const key = createHash('sha256').update(token).digest('hex');
    const known = bots.get(key);
    if (known !== undefined) return known;
    const name = `0AFTERMEET${bots.size === 0 ? '' : String(bots.size + 1)}`;
    const bot = { userId: `U${name}`, botId: `B${name}`, appId: `A${name}` };
    bots.set(key, bot);
    return bot;
  };
}
