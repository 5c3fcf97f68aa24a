import { describe, expect, it } from 'vitest';

import { parseQueueUrl } from './queue-url.ts';

describe('a queue address', () => {
  it.each([
    ['redis://localhost:6379', { kind: 'redis', name: 'redis://localhost:6379' }],
    ['rediss://user:secret@cache.example:6380/2', { kind: 'redis', name: 'rediss://…@cache.example:6380/2' }],
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
    ['postgres://me:sec/ret#x@host/a', "found a postgres address that can't be read"],
  ])('%s is refused with what was found and what is expected', (text, found) => {
    const parsed = parseQueueUrl(text);
    if (parsed.ok) throw new Error('it was understood');
    expect(parsed.problem).toContain(found);
    expect(parsed.problem).toContain('expected ');
    expect(parsed.problem).not.toMatch(/sec.?ret/);
  });
});
