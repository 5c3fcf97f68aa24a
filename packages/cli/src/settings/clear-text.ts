import { type Log, parseQueueUrl } from '@aftermeet/queue';
import { listNeeds, requiresMailTls } from '@aftermeet/recipes';
import { z } from 'zod';

import { isLoopback } from '../hosting/admin-access.ts';
import type { Settings } from './settings.ts';

/** A setting by which keys and reports go to another host in clear. */
export interface ClearText {
  readonly setting: string;
  /** The host without its port, login and path. */
  readonly host: string;
  /** What in the setting would encrypt it. */
  readonly remedy: string;
}

interface Used extends Pick<Settings, 'queueUrl' | 'destinations' | 'recipes'> {
  readonly service?: Settings['service'] | undefined;
}

/** The settings that lead to other hosts without TLS. A name such as `redis` is another host too. */
export function findClearText(settings: Used): readonly ClearText[] {
  const { service, destinations } = settings;
  const { slack, notion, email } = destinations;
  const addresses: Readonly<Record<string, string | undefined>> = {
    SERVICE_BASE_URL: service?.baseUrl,
    SERVICE_MCP_URL: service?.mcpUrl,
    SLACK_API_URL: slack?.apiUrl,
    NOTION_BASE_URL: notion?.baseUrl,
    ...Object.fromEntries(
      listNeeds('http', settings.recipes).map(({ recipe, need }) => [
        `recipes.${recipe}.with.url`,
        needSchema.safeParse(need).data?.url,
      ]),
    ),
  };
  return [
    ...findInQueue(settings.queueUrl),
    ...Object.entries(addresses).flatMap(([setting, address]) =>
      address === undefined ? [] : findInAddress(setting, address, 'http:', 'https://'),
    ),
    ...(email === undefined ? [] : findInMail(email.smtpUrl)),
  ];
}

const needSchema = z.object({ url: z.string() });

function findInAddress(setting: string, address: string, clear: string, remedy: string): ClearText[] {
  const { protocol, hostname } = new URL(address);
  return protocol === clear ? findOtherHosts(setting, [hostname], remedy) : [];
}

function findInMail(smtpUrl: string): ClearText[] {
  // Where TLS is required nothing is sent without.
  if (requiresMailTls(smtpUrl)) return [];
  // The mail library then goes by its own list, whatever protocol and host are here.
  const service = new URL(smtpUrl).searchParams.get('service');
  return service === null
    ? findInAddress('SMTP_URL', smtpUrl, 'smtp:', 'smtps://')
    : [{ setting: 'SMTP_URL', host: service, remedy: 'requireTLS=true' }];
}

function findOtherHosts(setting: string, hosts: readonly string[], remedy: string): ClearText[] {
  return hosts
    .map((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .filter((host) => !isLoopback(host.toLowerCase()))
    .map((host) => ({ setting, host, remedy }));
}

/** Modes of PostgreSQL that try without TLS first; without a mode there is none. `prefer` tries with it. */
const clearModes: readonly (string | null)[] = [null, 'disable', 'allow'];

function findInQueue(queueUrl: string): ClearText[] {
  const parsed = parseQueueUrl(queueUrl);
  if (!parsed.ok || parsed.kind === 'embedded') return [];
  const { protocol, hostname, searchParams } = new URL(parsed.url);
  if (parsed.kind === 'redis') {
    const { sentinel } = parsed;
    const hosts = sentinel === undefined ? [hostname] : sentinel.hosts.map(({ host }) => host);
    const remedy = sentinel === undefined ? 'rediss://' : 'rediss+sentinel://';
    return protocol === 'redis:' ? findOtherHosts('QUEUE_URL', hosts, remedy) : [];
  }
  const mode = searchParams.get('sslmode');
  const isAsked = mode === null && /^(?:true|1)$/.test(searchParams.get('ssl') ?? '');
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  // A socket of this machine.
  if (host.startsWith('/') || isAsked || !clearModes.includes(mode)) return [];
  return findOtherHosts('QUEUE_URL', [host], 'sslmode=verify-full');
}

/** Said once at the start. A warning alone: in a private network it may be meant. */
export function logClearText(log: Log, settings: Used): void {
  const found = findClearText(settings);
  if (found.length === 0) return;
  const listed = found.map(({ setting, host, remedy }) => `${setting} (${host}; ${remedy} encrypts)`);
  log.warn({}, `not encrypted, which is right in a private network alone: ${listed.join(', ')}`);
}
