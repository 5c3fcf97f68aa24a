import { type CredentialName, credentials } from './node-kinds.ts';
import { exampleService } from './steps/settings.ts';
import type { N8nWorkflow } from './workflow.ts';

const purposes: Readonly<Record<CredentialName, string>> = {
  secret: 'Crypto, "Hmac Secret": the `webhook_secret` that the recordings are started with',
  apiKey: 'Header Auth, name `X-API-KEY`, value: the API key of the workspace',
  slack:
    'Slack API, "Access Token": the bot\'s token, which starts with `xoxb-`; scopes `chat:write`, `users:read.email`',
  notion: 'Bearer Auth: the secret of a connection that the data source is shared with',
  mail: 'SMTP: the mail server',
  forward: 'Crypto, "Hmac Secret": the secret that the receiver of the forwarded events knows',
};

/** What holds for every workflow that deliveries start. */
const deliveryNotes = [
  'Once and only once is more than n8n can promise. A delivery is accepted before anything is sent: what is under way when n8n crashes is lost, and nobody sends it again. A message whose answer was lost is not looked for, and a failed run is not repeated by itself: open it and press "Retry".',
  'Doubles are told apart by kind, meeting and time among the last 10,000 deliveries. With that memory full they pass: choose "Clear Deduplication History" in a Remove Duplicates node of your own then.',
  'n8n answers 422 by itself to a body that is no JSON.',
];

/** The text of the sticky note, and the same notes as a list. */
export function writeNote(
  workflow: Pick<N8nWorkflow, 'nodes'>,
  title: string,
  own: readonly string[],
): { readonly text: string; readonly notes: readonly string[] } {
  const used = Object.entries(credentials).filter(([, { type, name }]) =>
    workflow.nodes.some((node) => node.credentials?.[type]?.name === name),
  );
  const webhook = workflow.nodes.find(({ name }) => name === 'Delivery arrives');
  const notes = [...own, ...(webhook === undefined ? [] : deliveryNotes)];
  return {
    notes,
    text: [
      `## ${title}`,
      '',
      '**Set these before you publish it**',
      '',
      ...used.map(([key, { name }]) => `- Credential "${name}": ${describe(key)}`),
      `- Node "Settings": \`base_url\` is the address of the service (${exampleService} is an example), and the rest below it. No secret belongs there.`,
      ...(webhook === undefined
        ? []
        : [
            '- Give the production address of "Delivery arrives" to the service as `webhook_url`, with the same `webhook_secret`.',
          ]),
      '',
      '**What it cannot do**',
      '',
      ...notes.map((note) => `- ${note}`),
    ].join('\n'),
  };
}

function describe(key: string): string {
  return Object.entries(purposes).find(([name]) => name === key)?.[1] ?? '';
}
