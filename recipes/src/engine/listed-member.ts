/** A person of a workspace, as its list of members shows them. */
export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** The members of a workspace, or why they cannot be listed. */
export type MembersListed =
  | { readonly ok: true; readonly members: readonly ListedMember[] }
  | { readonly ok: false; readonly cause: string };
