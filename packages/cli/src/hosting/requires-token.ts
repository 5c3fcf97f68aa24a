import { isIP } from 'node:net';

import type { Log } from '@aftermeet/queue';

import type { Settings } from '../settings/settings.ts';

type Reach = Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Whether others reach the receiver, as far as its settings say. Then a peer on this machine may be a proxy that speaks for
 * anybody and says so nowhere, and management needs a token from everybody.
 */
export function requiresToken({ host, publicUrl, trustedProxies }: Reach): boolean {
  return publicUrl !== undefined || trustedProxies.length > 0 || !isThisMachine(host);
}

/** Says in the log why the management routes answer 401 to all. */
export function tellWhatTokenOpens(log: Log, settings: Reach & Pick<Settings, 'adminToken'>): void {
  if (settings.adminToken !== undefined || !requiresToken(settings)) return;
  log.info(
    {},
    '/metrics, /api/refusals and /api/reload answer 401: others may reach them, so ADMIN_TOKEN opens them',
  );
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
