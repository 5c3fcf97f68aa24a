import { describe, expect, it } from 'vitest';

import { readPhase } from './meeting-phase.ts';

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
