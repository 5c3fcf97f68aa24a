import { z } from 'zod';

import { takePage } from './conversations.ts';
import { teamId, type SlackMethod, type SlackUser } from './state.ts';

export const sampleUsers: readonly SlackUser[] = [
  { id: 'U0SANDBOX', name: 'user', realName: 'Sandbox User', email: 'user@sandbox.example' },
  { id: 'U0ANNA', name: 'anna', realName: 'Anna Berg', email: 'anna@example.com' },
  { id: 'U0TOM', name: 'tom', realName: 'Tom Ford', email: 'tom@example.com' },
  // Of the sample meetings.
  { id: 'U0MAYA', name: 'maya', realName: 'Maya Lindqvist', email: 'maya.lindqvist@example.com' },
  { id: 'U0PRIYA', name: 'priya', realName: 'Priya Raman', email: 'priya.raman@example.com' },
  { id: 'U0LIAM', name: 'liam', realName: "Liam O'Brien", email: 'liam.obrien@example.com' },
];

/** https://docs.slack.dev/reference/methods/auth.test */
export const testAuth: SlackMethod = {
  handle: ({ bot }) => ({
    url: 'https://aftermeet-sandbox.slack.com/',
    team: 'Aftermeet sandbox',
    user: 'aftermeet',
    team_id: teamId,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  }),
};

const lookupSchema = z.object({ email: z.string() });

/** https://docs.slack.dev/reference/methods/users.lookupByEmail. */
export const lookUpUserByEmail: SlackMethod = {
  definition: 'UsersLookupByEmailArguments',
  scope: 'users:read.email',
  handle({ state }, args) {
    const email = lookupSchema.parse(args).email.toLowerCase();
    const user = state.users.find((known) => known.email.toLowerCase() === email);
    return user === undefined ? { error: 'users_not_found' } : { user: describeUser(user) };
  },
};

const infoSchema = z.object({ user: z.string() });

/** https://docs.slack.dev/reference/methods/users.info */
export const getUser: SlackMethod = {
  definition: 'UsersInfoArguments',
  scope: 'users:read',
  handle({ state }, args) {
    const { user: id } = infoSchema.parse(args);
    const user = state.users.find((known) => known.id === id);
    return user === undefined ? { error: 'user_not_found' } : { user: describeUser(user) };
  },
};

const listSchema = z.object({
  limit: z.number().int().min(1).max(1000).catch(1000),
  cursor: z.string().default(''),
});

/** https://docs.slack.dev/reference/methods/users.list; the cursor holds the id of the last user. */
export const listUsers: SlackMethod = {
  definition: 'UsersListArguments',
  scope: 'users:read',
  handle({ state }, args) {
    const { limit, cursor } = listSchema.parse(args);
    const page = takePage(state.users, cursor, limit, ({ id }) => id);
    if ('error' in page) return page;
    const { items, ...rest } = page;
    return { members: items.map(describeUser), ...rest };
  },
};

/** https://docs.slack.dev/reference/objects/user-object */
function describeUser(user: SlackUser): object {
  return {
    id: user.id,
    team_id: teamId,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    profile: {
      real_name: user.realName,
      display_name: user.name,
      email: user.email,
    },
    is_bot: false,
    is_restricted: false,
  };
}
