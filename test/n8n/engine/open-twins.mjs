// Two sandboxes that make the same ids in the same order: one for the node, one for the client.
import { createClient } from '@aftermeet/client';
import { createSandbox } from '@aftermeet/sandbox';

import { openRecorder } from './open-recorder.mjs';

export const apiKey = 'proof_key_that_must_stand_nowhere_else';

/** Of the credential: what the service signs with. */
export const webhookSecret = 'a secret of the proof, 36 characters';

export async function openTwins() {
  const [node, other] = [await openSide(), await openSide()];
  const client = createClient({ baseUrl: other.url, mcpUrl: other.url, apiKey });
  return {
    node,
    other,
    client,
    close: async () => {
      await Promise.all([node.close(), other.close()]);
    },
  };
}

/** One sandbox behind a recorder, and the credential for it. */
export async function openSide() {
  const sandbox = createSandbox({ apiKey, seed: 8 });
  const { url } = await sandbox.listen();
  const recorder = await openRecorder(url);
  return {
    // Its own address: what prepares it isn't noted.
    sandbox: { ...sandbox, ownUrl: url },
    url: recorder.url,
    requests: recorder.requests,
    credentials: { aftermeetApi: { baseUrl: recorder.url, mcpUrl: recorder.url, apiKey, webhookSecret } },
    close: async () => {
      await recorder.close();
      await sandbox.close();
    },
  };
}

/** A client past the recorder, for what a play needs to be there. */
export function askDirectly({ ownUrl }) {
  return createClient({ baseUrl: ownUrl, apiKey });
}
