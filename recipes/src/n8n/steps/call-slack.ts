import type { Order } from '../order.ts';
import { allOf, isTrue } from '../parameters.ts';
import { plainAddress } from '../plain-address.ts';
import { setting } from './settings.ts';

/** What the node "Settings" needs for it. */
export function slackSettings(order: Order): { readonly slack_api: string } {
  const { slack } = order.options.destinations ?? {};
  return { slack_api: plainAddress(order, 'slack_api', slack?.apiUrl ?? 'https://slack.com/api/') };
}

/**
 * Posts `message` of the item. An HTTP Request with Slack's own credential, because it sends the blocks as they are.
 * Slack answers 200 to what it refuses, so its answer is looked at.
 */
export function postToSlack({ canvas }: Order, message = '$json.message'): void {
  canvas.add({
    name: 'Post to Slack',
    kind: 'http',
    credential: 'slack',
    parameters: {
      method: 'POST',
      url: `={{ ${setting('slack_api')} }}/chat.postMessage`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'slackApi',
      sendBody: true,
      contentType: 'json',
      specifyBody: 'json',
      jsonBody: `={{ JSON.stringify(${message}) }}`,
      options: { redirect: { redirect: { followRedirects: false } }, timeout: 30_000 },
    },
  });
  canvas.add({
    name: 'Did Slack take it?',
    kind: 'if',
    parameters: allOf(isTrue('ok', '$json.ok')),
  });
  canvas.add(
    {
      name: 'Slack refused it',
      kind: 'stop',
      parameters: { errorMessage: '=Slack refused the message: {{ $json.error }}' },
    },
    { name: 'Did Slack take it?', output: 1 },
  );
}
