import { defineDestination, pause, readRetryAfter, refuse, retry, sent } from '@aftermeet/recipes';
import { z } from 'zod';

const CREATE = `mutation ($input: IssueCreateInput!) {
  issueCreate(input: $input) { issue { identifier } }
}`;
const FIND = `query ($id: ID!) {
  issues(filter: { id: { eq: $id } }, includeArchived: true) { nodes { identifier } }
}`;

const settings = z.strictObject({
  apiKey: z.string().min(1),
  /** The id of the team, a UUID. */
  team: z.uuid(),
  url: z.url().default('https://api.linear.app/graphql'),
});

/** Issues of a team in Linear. */
export default defineDestination({
  name: 'linear',
  settings,
  message: z.strictObject({
    title: z.string().min(1),
    /** Markdown. */
    description: z.string().optional(),
    /** `2026-07-10`. */
    dueDate: z.iso.date().optional(),
  }),
  policy: { gap: '200ms' },
  send: async (message, { settings: access, key, signal }) => {
    const input = { ...message, id: toIssueId(key), teamId: access.team };
    const { status, retryAfter, answer } = await ask(CREATE, { input }, access, signal);
    const issue = answer.data?.issueCreate?.issue;
    if (issue) return sent(issue.identifier);
    const codes = (answer.errors ?? []).map(({ extensions }) => extensions?.code);
    if (status === 429 || codes.includes('RATELIMITED')) {
      return retry('Linear asks for a pause', { afterMs: readRetryAfter(retryAfter, Date.now()) ?? 60_000 });
    }
    if (status === 401 || codes.includes('AUTHENTICATION_ERROR')) {
      return pause('Linear does not take the API key');
    }
    // It refuses a second issue with this id: the first one is ours.
    const existing = await find(key, access, signal);
    return existing === undefined ? refuse(`Linear refuses the issue (${status})`) : sent(existing);
  },
  find: (key, { settings: access, signal }) => find(key, access, signal),
});

type Access = z.output<typeof settings>;

async function find(key: string, access: Access, signal: AbortSignal): Promise<string | undefined> {
  const { answer } = await ask(FIND, { id: toIssueId(key) }, access, signal);
  // Without a list it is not known whether the issue is there.
  if (!answer.data?.issues) throw new Error('no list of issues');
  return answer.data.issues.nodes[0]?.identifier;
}

const issueSchema = z.object({ identifier: z.string() });

const answerSchema = z.object({
  data: z
    .object({
      issueCreate: z.object({ issue: issueSchema.nullish() }).nullish(),
      issues: z.object({ nodes: z.array(issueSchema) }).nullish(),
    })
    .nullish(),
  errors: z.array(z.object({ extensions: z.object({ code: z.string().optional() }).optional() })).optional(),
});

async function ask(query: string, variables: object, { apiKey, url }: Access, signal: AbortSignal) {
  const headers = { 'content-type': 'application/json', authorization: apiKey };
  const body = JSON.stringify({ query, variables });
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  // A throw means that it is not known whether the issue was made: `find` is asked.
  if (response.status >= 500) throw new Error('Linear is in trouble');
  const json: unknown = response.ok ? await response.json() : await response.json().catch(() => ({}));
  const answer = answerSchema.parse(json);
  return { status: response.status, retryAfter: response.headers.get('retry-after'), answer };
}

/** Linear takes the id of a new issue from its maker: a UUID of version 4. The same key is the same issue. */
function toIssueId(key: string): string {
  return `${key.slice(0, 8)}-${key.slice(8, 12)}-4${key.slice(13, 16)}-a${key.slice(17, 20)}-${key.slice(20, 32)}`;
}
