/** A user of the workspace; without an address it is a bot. */
export interface NotionUser {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** The connection itself, which creates and edits everything. */
export const botUser: NotionUser = { id: '0b07a000-0000-4000-8000-000000000001', name: 'Aftermeet' };

export const samplePeople: readonly NotionUser[] = [
  { id: '0b07a000-0000-4000-8000-000000000002', name: 'Anna Berg', email: 'anna.berg@example.com' },
  { id: '0b07a000-0000-4000-8000-000000000003', name: 'Tom Ruiz', email: 'tom.ruiz@example.com' },
  { id: '0b07a000-0000-4000-8000-000000000004', name: 'Mei Lin', email: 'mei.lin@example.com' },
];

/** https://developers.notion.com/reference/user */
export function describeUser({ id, name, email }: NotionUser): object {
  const shared = { object: 'user', id, name, avatar_url: null };
  if (email !== undefined) return { ...shared, type: 'person', person: { email } };
  return {
    ...shared,
    type: 'bot',
    bot: {
      owner: { type: 'workspace', workspace: true },
      workspace_id: '0b07a000-0000-4000-8000-000000000000',
      workspace_limits: { max_file_upload_size_in_bytes: 5_242_880 },
      workspace_name: 'Aftermeet sandbox',
    },
  };
}

/** The connection as pages and blocks name their author. */
export const botReference = { object: 'user', id: botUser.id } as const;
