import type { SlackUser } from '../slack-users.ts';

/** Blocks in which each mention of somebody who is known carries their name, as Slack shows it. */
export function nameUsers(value: unknown, users: readonly SlackUser[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => nameUsers(one, users));
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [key, nameUsers(part, users)]),
  );
  const user = users.find(({ id }) => named['type'] === 'user' && id === named['user_id']);
  return user === undefined ? named : { ...named, name: user.realName };
}
