import type { Destinations } from '@aftermeet/recipes';

/** A namespace of its own: the worker of `aftermeet dev` sends to emulators and must never take a hosted worker's jobs. */
export const DEV_NAMESPACE = 'aftermeet_dev';

interface DevAddresses {
  readonly slackApiUrl: string;
  readonly notionUrl: string;
  readonly dataSourceId: string;
  readonly smtpUrl: string;
}

/** The destinations of `aftermeet dev`. Without addresses they plan the same effects, and send nothing. */
export function listDevDestinations({ slackApiUrl, notionUrl, dataSourceId, smtpUrl }: DevAddresses) {
  return {
    slack: { token: 'xoxb-sandbox', apiUrl: slackApiUrl, channel: 'C0MEETINGS' },
    notion: { token: 'sandbox', baseUrl: notionUrl, dataSourceId },
    email: { smtpUrl, from: 'Aftermeet <aftermeet@example.com>', to: ['team@example.com'] },
  } satisfies Destinations;
}
