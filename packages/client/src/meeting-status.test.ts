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
  it.each([
    ['new', 'ready'],
    ['processed', 'ready'],
    ['queued', 'processing'],
    ['processing', 'processing'],
    ['recording', 'recording'],
    ['failed', 'failed'],
  ])('knows the observed word %s', (word, phase) => {
    expect(readPhase(word)).toBe(phase);
  });

  it.each([
    ['scheduled', 'scheduled'],
    ['planned', 'scheduled'],
    ['upcoming', 'scheduled'],
    ['joining', 'joining'],
    ['connecting', 'joining'],
    ['waiting_room', 'joining'],
    ['in-waiting-room', 'joining'],
    ['in_call', 'recording'],
    ['in queue', 'processing'],
    ['uploading', 'processing'],
    ['uploaded', 'processing'],
    ['transcribing', 'processing'],
    ['generating', 'processing'],
    ['ready', 'ready'],
    ['completed', 'ready'],
    ['done', 'ready'],
    ['failure', 'failed'],
    ['error', 'failed'],
    ['cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
  ])('knows %s as another word for %s', (word, phase) => {
    expect(readPhase(word)).toBe(phase);
  });

  it.each([' Processed\n', '"PROCESSED"', "'processed'"])('reads %j', (word) => {
    expect(readPhase(word)).toBe('ready');
  });

  it.each([
    '',
    'archived',
    'pending',
    'finished',
    'in progress',
    'new2',
    'renew',
    'constructor',
    '__proto__',
  ])('leaves %j unknown', (word) => {
    expect(readPhase(word)).toBe('unknown');
  });

  it('does not search a text that is no word', () => {
    expect(readPhase(`${' '.repeat(1_000_000)}new`)).toBe('unknown');
  });
});
