import { isIP } from 'node:net';

import type { Log } from '@aftermeet/queue';

import type { Settings } from '../settings/settings.ts';

type Reach = Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies'>;
type ManagementReach = Reach & Pick<Settings, 'admin'>;

/**
 * Whether the settings let other machines reach the process. A loopback peer may then be a proxy that forwards foreign
 * requests, so management requires a token from every peer.
 */
export function requiresToken({ host, publicUrl, trustedProxies }: Reach): boolean {
  return publicUrl !== undefined || trustedProxies.length > 0 || !isLoopback(host);
}

/**
 * The same for the management routes of a receiver. Where they have an address of their own, only that counts: proxies
 * and the public name lead to the other one, which knows none of these routes.
 */
export function managementRequiresToken({ admin, ...reach }: ManagementReach): boolean {
  return admin === undefined ? requiresToken(reach) : !isLoopback(admin.host);
}

/** Logs why the management routes answer 401. */
export function logTokenNotice(log: Log, settings: ManagementReach & Pick<Settings, 'adminToken'>): void {
  if (settings.adminToken !== undefined || !managementRequiresToken(settings)) return;
  log.info({}, '/metrics and /api answer 401: other machines may reach them, so set ADMIN_TOKEN');
}

/** The address of a receiver's management for this machine; undefined where the port is chosen at its start. */
export function findManagement({
  host,
  port,
  admin,
}: Pick<Settings, 'host' | 'port' | 'admin'>): string | undefined {
  const address = admin ?? { host, port };
  if (address.port === 0) return undefined;
  // What listens everywhere answers on this machine.
  const name = address.host === '0.0.0.0' || address.host === '::' ? '127.0.0.1' : address.host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

/** Whether an address or a name is this machine; an IPv6 address without brackets. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
