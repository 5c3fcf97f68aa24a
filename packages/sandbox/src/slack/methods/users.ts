import { z } from 'zod';

import { teamId } from '../slack-bots.ts';
import { describeUser } from '../slack-users.ts';
import type { SlackMethod } from '../slack-world.ts';

const emailSchema = z.object({ email: z.string() });
const userSchema = z.object({ user: z.string() });

/** https://docs.slack.dev/reference/methods/users.lookupByEmail: people who left are not found. */
export const lookUpUserByEmail: SlackMethod = {
  definition: 'UsersLookupByEmailArguments',
  scope: 'users:read.email',
  play({ world }, given) {
    const email = emailSchema.parse(given).email.toLowerCase();
    const user = world.users.find((known) => known.email.toLowerCase() === email && known.isDeleted !== true);
    return user === undefined ? { error: 'users_not_found' } : { user: describeUser(user, teamId) };
  },
};

/** https://docs.slack.dev/reference/methods/users.info */
export const readUser: SlackMethod = {
  definition: 'UsersInfoArguments',
  scope: 'users:read',
  play({ world }, given) {
    const { user: asked } = userSchema.parse(given);
    const user = world.users.find(({ id }) => id === asked);
    return user === undefined ? { error: 'user_not_found' } : { user: describeUser(user, teamId) };
  },
};
