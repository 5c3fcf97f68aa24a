import { expect, it } from 'vitest';

import { createRecordingLog } from '../testing/recording-log.ts';
import { findClearText, logClearText } from './clear-text.ts';
import type { Settings } from './settings.ts';

type Used = Parameters<typeof findClearText>[0];

const here: Used = { queueUrl: 'embedded:.aftermeet', destinations: {}, recipes: [] };

function service(baseUrl: string, mcpUrl?: string): Pick<Settings, 'service'> {
  return { service: { baseUrl, apiKey: 'hunter2', ...(mcpUrl === undefined ? {} : { mcpUrl }) } };
}

function mail(smtpUrl: string): Pick<Settings, 'destinations'> {
  return { destinations: { email: { smtpUrl, from: 'a@example.com', to: [] } } };
}

function forward(url: string): Pick<Settings, 'recipes'> {
  const secret = 'whsec_aHVudGVyMmh1bnRlcjJodW50ZXIyaHVudGVyMg==';
  return {
    recipes: [{ name: 'hook', use: 'http-forward', when: {}, with: { url, secret, allow: 'private' } }],
  };
}

it.each([
  ['embedded:.aftermeet', ''],
  ['redis://:hunter2@127.0.0.1:6379', ''],
  ['redis://:hunter2@redis:6379', 'QUEUE_URL redis rediss://'],
  ['redis://10.0.0.7', 'QUEUE_URL 10.0.0.7 rediss://'],
  ['redis://[fd00::7]', 'QUEUE_URL fd00::7 rediss://'],
  ['redis://[::1]', ''],
  ['rediss://redis.example.com', ''],
  ['valkey://valkey:6379', 'QUEUE_URL valkey rediss://'],
  ['valkeys://valkey:6379', ''],
  ['redis+sentinel://u:hunter2@127.0.0.1,s2:26379/main', 'QUEUE_URL s2 rediss+sentinel://'],
  ['rediss+sentinel://s1,s2/main', ''],
  ['postgres://u:hunter2@LOCALHOST/db', ''],
  ['postgres://u@/db?host=/var/run/postgresql', ''],
  ['postgres://u@%2Fvar%2Frun/db', ''],
  ['postgres://u:hunter2@db/db', 'QUEUE_URL db sslmode=verify-full'],
  ['postgres://u@127.0.0.1/db?host=db', 'QUEUE_URL db sslmode=verify-full'],
  ['postgresql://db/db?sslmode=disable', 'QUEUE_URL db sslmode=verify-full'],
  ['postgres://db/db?sslmode=allow', 'QUEUE_URL db sslmode=verify-full'],
  ['postgres://db/db?sslmode=prefer', ''],
  ['postgres://db/db?sslmode=require', ''],
  ['postgres://db/db?ssl=true', ''],
  ['http://hunter2', ''],
])('of the queue %s what goes in clear is "%s"', (queueUrl, found) => {
  const clear = findClearText({ ...here, queueUrl });
  expect(clear.map(({ setting, host, remedy }) => `${setting} ${host} ${remedy}`).join()).toBe(found);
  expect(JSON.stringify(clear)).not.toContain('hunter2');
});

it.each<[name: string, Partial<Used>, found: readonly string[]]>([
  ['the service on this machine', service('http://127.0.0.1:4010'), []],
  ['the service', service('https://api.example.com', 'https://mcp.example.com'), []],
  [
    'the service in clear',
    service('http://api.example.com/v1', 'http://mcp:80'),
    ['SERVICE_BASE_URL api.example.com https://', 'SERVICE_MCP_URL mcp https://'],
  ],
  [
    'Slack and Notion by proxies',
    {
      destinations: {
        slack: { token: 'hunter2', apiUrl: 'http://proxy:8080/api/' },
        notion: { token: 'hunter2', baseUrl: 'http://proxy' },
      },
    },
    ['SLACK_API_URL proxy https://', 'NOTION_BASE_URL proxy https://'],
  ],
  ['Slack and Notion', { destinations: { slack: { token: 'x' }, notion: { token: 'x' } } }, []],
  ['mail that waits for TLS', mail('smtp://u:hunter2@mail.example.com'), []],
  ['mail with TLS', mail('smtps://u:hunter2@mail.example.com'), []],
  ['mail by the name of a service', mail('smtps://u:hunter2@mail.example.com?service=Outlook365'), []],
  [
    'mail by the name of a service that may do without TLS',
    mail('smtps://u:hunter2@127.0.0.1?service=Outlook365&requireTLS=false'),
    ['SMTP_URL Outlook365 requireTLS=true'],
  ],
  ['mail with TLS that need not say so', mail('smtps://mail.example.com?requireTLS=false'), []],
  ['mail on this machine', mail('smtp://127.0.0.1:25'), []],
  ['mail that may do without TLS', mail('smtp://mail:25?requireTLS=false'), ['SMTP_URL mail smtps://']],
  ['a receiver', forward('https://n8n.example.com/hunter2'), []],
  ['a receiver on this machine', forward('http://localhost:5678/hunter2'), []],
  ['a receiver in clear', forward('http://n8n:5678/hunter2'), ['recipes.hook.with.url n8n https://']],
])('findClearText %s', (_name, changes, found) => {
  const clear = findClearText({ ...here, ...changes });
  expect(clear.map(({ setting, host, remedy }) => `${setting} ${host} ${remedy}`)).toEqual(found);
  expect(JSON.stringify(clear)).not.toContain('hunter2');
});

it('logClearText says it in one line, and nothing where all is encrypted', () => {
  const { log, lines } = createRecordingLog();
  logClearText(log, here);
  logClearText(log, { ...here, queueUrl: 'redis://:hunter2@redis', ...service('http://api') });
  expect(lines).toEqual([
    'warn not encrypted, which is right in a private network alone: ' +
      'QUEUE_URL (redis; rediss:// encrypts), SERVICE_BASE_URL (api; https:// encrypts) {}',
  ]);
});
