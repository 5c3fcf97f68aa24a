import type { Order } from '../order.ts';
import { allOf, isTrue } from '../parameters.ts';
import { eventField } from './receive-delivery.ts';
import { setting } from './settings.ts';

/** What the node "Settings" needs for it. A wait of more than 65 seconds outlives a restart of n8n. */
export const fetchSettings = { report_tries: 60, wait_seconds: 70 };

/**
 * Asks for the report by the id of the meeting, never at the address that the event names: the key would go there.
 * While it is not ready it waits and asks again, a bounded number of times.
 */
export function fetchReport({ canvas }: Order): void {
  canvas.add({
    name: 'Fetch the report',
    kind: 'http',
    credential: 'apiKey',
    // A service that is away is asked again, as one that is not ready.
    goesOnAfterError: true,
    parameters: {
      method: 'GET',
      url: `={{ ${setting('base_url')} }}/api/video/report`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'meeting_id', value: `={{ ${eventField('meeting_id')} }}` }] },
      options: {
        redirect: { redirect: { followRedirects: false } },
        response: { response: { fullResponse: true, neverError: true, responseFormat: 'text' } },
        timeout: 60_000,
      },
    },
  });
  canvas.add({
    name: 'Is the report there?',
    kind: 'if',
    parameters: allOf(isTrue('ready', '$json.statusCode === 200')),
  });
  canvas.add(
    {
      name: 'Ask again?',
      kind: 'if',
      parameters: allOf(
        isTrue(
          'later',
          '$json.statusCode === undefined || [202, 204, 408, 425, 429].includes($json.statusCode) || $json.statusCode >= 500',
        ),
        isTrue('bounded', `$runIndex + 1 < ${setting('report_tries')}`),
      ),
    },
    { name: 'Is the report there?', output: 1 },
  );
  canvas.add(
    {
      name: 'Wait a while',
      kind: 'wait',
      parameters: { resume: 'timeInterval', amount: `={{ ${setting('wait_seconds')} }}`, unit: 'seconds' },
    },
    { name: 'Ask again?', output: 0 },
  );
  canvas.loop({ name: 'Wait a while' }, 'Fetch the report');
  canvas.add(
    {
      name: 'Give up',
      kind: 'stop',
      parameters: {
        errorMessage:
          '=The report could not be fetched: the service answered {{ $json.statusCode ?? "nothing" }}. 401 or 403: check the credential with the API key. 404: the key belongs to another workspace, or the meeting is gone.',
      },
    },
    { name: 'Ask again?', output: 1 },
  );
}
