/** Who is asked before a message of a recipe is sent that a person has to approve. */
export interface ApprovalRules {
  readonly asks: readonly { readonly destination: string; readonly target: string }[];
  /** Ids of those who may approve; empty: each full member who sees the request. */
  readonly by: readonly string[];
  /** How long a request can be answered. Milliseconds. */
  readonly expiresMs: number;
}

/** The headline of a request, and until when it can be answered, for people. */
export function describeRequest({
  title,
  expiresAtMs,
  isReminder,
}: Pick<ApprovalRequest, 'title' | 'expiresAtMs' | 'isReminder'>): {
  readonly headline: string;
  readonly until: string;
} {
  return {
    headline: `${isReminder ? 'Still waits' : 'Waits'} for approval: ${title}`,
    until: `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

/** What a person is shown of a message before they approve it. */
export interface ApprovalRequest {
  /** Names the request in a button or a link; it means nothing by itself. */
  readonly id: string;
  readonly title: string;
  readonly recipe: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Where it can be approved by who has the link; absent: the installation has no public address. */
  readonly url?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** It was asked a day ago. */
  readonly isReminder: boolean;
}
