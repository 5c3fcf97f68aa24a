interface SandboxUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The one user of the workspace: every meeting is theirs. */
export const sandboxUser: SandboxUser = {
  id: '5f3c9a1e-2b74-4d86-8e10-7a9d4c6b2f51',
  name: 'Sandbox User',
  email: 'user@sandbox.example',
};

/** Whether a search for this author means the user: by id, name or address, without case. What it takes is not shown. */
export function isSandboxUser(author: string): boolean {
  return Object.values(sandboxUser).some((known) => known.toLowerCase() === author.toLowerCase());
}
