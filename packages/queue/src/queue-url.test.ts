import { describe, expect, it } from 'vitest';

import { parseQueueUrl } from './queue-url.ts';

describe('a queue address', () => {
  it.each([
    ['redis://localhost:6379', { kind: 'redis', name: 'redis://localhost:6379' }],
    ['rediss://user:secret@cache.example:6380/2', { kind: 'redis', name: 'rediss://…@cache.example:6380/2' }],
    [
      'valkey://cache.example',
      { kind: 'redis', url: 'redis://cache.example', name: 'redis://cache.example' },
    ],
    [
      'VALKEYS://me:secret@cache.example:6380/1?ca=/etc/ca.pem',
      {
        kind: 'redis',
        url: 'rediss://me:secret@cache.example:6380/1',
        name: 'rediss://…@cache.example:6380/1',
        caFile: '/etc/ca.pem',
      },
    ],
    [
      'redis+sentinel://me:secret@s1.example:26380,s2.example,[::1]:7/main/2?sentinel_password=secret2',
      {
        kind: 'redis',
        url: 'redis://me:secret@master/2',
        name: 'redis+sentinel://…@s1.example:26380,s2.example,[::1]:7/main/2',
        sentinel: {
          hosts: [
            { host: 's1.example', port: 26_380 },
            { host: 's2.example', port: 26_379 },
            { host: '::1', port: 7 },
          ],
          master: 'main',
          username: undefined,
          password: 'secret2',
        },
      },
    ],
    [
      'rediss+sentinel://s1.example/main?ca=ca.pem',
      { kind: 'redis', url: 'rediss://master', name: 'rediss+sentinel://s1.example/main', caFile: 'ca.pem' },
    ],
    ['postgres://me:secret@db.example/after', { kind: 'postgres', name: 'postgres://…@db.example/after' }],
    [
      'postgresql://db.example:5433/a?sslmode=require',
      { kind: 'postgres', name: 'postgresql://db.example:5433/a' },
    ],
    ['postgres:///a?host=/run/postgresql', { kind: 'postgres', name: 'postgres:///a' }],
    ['embedded:.aftermeet', { kind: 'embedded', directory: '.aftermeet', name: 'embedded:.aftermeet' }],
    [
      ' embedded:/var/lib/queue ',
      { kind: 'embedded', directory: '/var/lib/queue', name: 'embedded:/var/lib/queue' },
    ],
  ])('%s is understood', (text, expected) => {
    expect(parseQueueUrl(text)).toMatchObject({ ok: true, ...expected });
  });

  it.each([
    ['', 'found nothing'],
    ['localhost', 'found no scheme'],
    ['amqp://me:secret@rabbit', 'found the scheme amqp:'],
    ['embedded:', 'found embedded: without a usable folder'],
    ['embedded:a\nb', 'found embedded: without a usable folder'],
    ['redis://', 'has no host'],
    ['redis://me:secret@host/name', 'redis://…@host/name, whose database is not a number'],
    ['redis://me:secret@host?ca=ca.pem', 'redis://…@host with ?ca='],
    ['redis+sentinel://me:secret@host', 'redis+sentinel://…@host without the name of a master'],
    ['redis+sentinel://me:secret@host:x/main', "redis+sentinel: with a host that can't be read"],
    ['redis+sentinel://me:sec/ret@host/main', "can't be read"],
    ['postgres://me:sec/ret#x@host/a', "found a postgres address that can't be read"],
  ])('%s is refused with what was found and what is expected', (text, found) => {
    const parsed = parseQueueUrl(text);
    if (parsed.ok) throw new Error('it was understood');
    expect(parsed.problem).toContain(found);
    expect(parsed.problem).toContain('expected ');
    expect(parsed.problem).not.toMatch(/sec.?ret/);
  });
});
