import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readPhase, readStatusWord } from './meeting-status.ts';

describe('readStatusWord', () => {
  it.each<[unknown, string]>([
    ['processed', 'processed'],
    [' new\n', 'new'],
    ['"processed"', 'processed'],
    ['Meeting is in progress now, status: processing', 'processing'],
    ['Status: queued.', 'queued'],
    ['paused', 'paused'],
    [{ status: 'recording' }, 'recording'],
    [{ state: 'failed' }, 'failed'],
    [{ m1: 'processed' }, 'processed'],
    [{ m1: { status: 'processed' } }, 'processed'],
    [{ status: 'success', data: { status: 'processing' } }, 'processing'],
    [{ status: 'success', data: { m1: 'new', m2: 'failed' } }, 'new'],
    [{ statuses: { m1: 'failed' } }, 'failed'],
    [
      [
        { id: 'm2', status: 'failed' },
        { id: 'm1', status: 'new' },
      ],
      'new',
    ],
    [{ meetings: [{ meeting_id: 'm1', status: 'queued' }] }, 'queued'],
    [['processed'], 'processed'],
    [{ m2: 'failed' }, 'unknown'],
    [{ m2: { status: 'failed' } }, 'unknown'],
    [{ status: 7 }, 'unknown'],
    [{ status: { status: { status: { status: { status: 'new' } } } } }, 'unknown'],
    ['<html><body>new</body></html>', 'unknown'],
    ['x'.repeat(65), 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
    [{}, 'unknown'],
    [[], 'unknown'],
  ])('reads %j', (body, word) => {
    expect(readStatusWord(body, 'm1')).toBe(word);
  });

  it('has a short word for anything', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), fc.string(), (body, meetingId) => {
        const word = readStatusWord(body, meetingId);
        return word.length > 0 && word.length <= 64 && !/\p{Cc}/u.test(word);
      }),
    );
  });
});

describe('readPhase', () => {
  it.each<[string, readonly string[]]>([
    ['scheduled', ['scheduled', 'planned', 'upcoming']],
    ['joining', ['joining', 'connecting', 'waiting_room', 'in-waiting-room']],
    ['recording', ['recording', 'in_call']],
    [
      'processing',
      ['queued', 'processing', 'in queue', 'uploading', 'uploaded', 'transcribing', 'generating'],
    ],
    [
      'ready',
      ['new', 'processed', 'ready', 'completed', 'done', ' Processed\n', '"PROCESSED"', "'processed'"],
    ],
    ['failed', ['failed', 'failure', 'error']],
    ['cancelled', ['cancelled', 'canceled']],
    ['unknown', ['', 'archived', 'pending', 'finished', 'in progress', 'new2', 'renew']],
    ['unknown', ['constructor', '__proto__']],
  ])('finds %s in %j', (phase, words) => {
    for (const word of words) expect(readPhase(word), word).toBe(phase);
  });

  it('does not search a text that is no word', () => {
    expect(readPhase(`${' '.repeat(1_000_000)}new`)).toBe('unknown');
  });
});
