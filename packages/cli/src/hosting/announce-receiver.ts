import { announce } from '../announce.ts';
import type { Context } from '../context.ts';
import type { Settings } from '../settings/settings.ts';

export interface ReceiverFacts {
  readonly settings: Settings;
  /** Where it listens. */
  readonly url: string;
  readonly queue: string;
  /** Where there is more than one. */
  readonly processes?: number;
}

/** Says that the receiver is up, and what to give the service as `webhook_url`. */
export function announceReceiver(
  context: Context,
  asJson: boolean,
  { settings, url, queue, processes }: ReceiverFacts,
): void {
  const { endpoints, publicUrl } = settings;
  const tail = endpoints.masterSecret === undefined ? '' : '/<key>';
  announce(context, asJson, {
    url,
    hooks: [...endpoints.byName]
      .map(([name, { secrets }]) => `${publicUrl ?? url}/hooks/${name}${secrets.length > 0 ? '' : tail}`)
      .join(' '),
    queue,
    ...(processes === undefined ? {} : { processes }),
  });
}
