/** A person of the workspace. */
export interface SlackUser {
  readonly id: string;
  /** The handle. */
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  readonly isDeleted?: boolean;
}

/** Who is in the workspace unless told otherwise. */
export const sampleUsers: readonly SlackUser[] = [
  { id: 'U0SANDBOX', name: 'user', realName: 'Sandbox User', email: 'user@sandbox.example' },
  { id: 'U0ANNA', name: 'anna', realName: 'Anna Berg', email: 'anna@example.com' },
  { id: 'U0TOM', name: 'tom', realName: 'Tom Ford', email: 'tom@example.com' },
];

/** As `users.info` and `users.lookupByEmail` answer: https://docs.slack.dev/reference/objects/user-object */
export function describeUser(user: SlackUser, teamId: string): object {
  const [first = '', ...rest] = user.realName.split(' ');
  return {
    id: user.id,
    team_id: teamId,
    name: user.name,
    deleted: user.isDeleted ?? false,
    real_name: user.realName,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      real_name: user.realName,
      real_name_normalized: user.realName,
      display_name: user.name,
      display_name_normalized: user.name,
      first_name: first,
      last_name: rest.join(' '),
      email: user.email,
      team: teamId,
    },
    is_admin: false,
    is_owner: false,
    is_bot: false,
    is_app_user: false,
    is_email_confirmed: true,
  };
}
