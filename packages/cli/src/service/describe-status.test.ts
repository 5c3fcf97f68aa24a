import { describe, expect, it } from 'vitest';

import { describeStatus } from './describe-status.ts';

describe('describeStatus', () => {
  it.each([
    ['failed', 'failed', 'failed'],
    ['ready', 'new', 'ready (the service says: new)'],
    ['unknown', 'Odd\u001B[31m', 'unknown (the service says: Odd)'],
    ['processing', 'queued', 'planned, or waiting to be processed (the service says: queued)'],
    ['processing', 'QUEUED', 'planned, or waiting to be processed (the service says: QUEUED)'],
    ['processing', 'uploaded', 'processing (the service says: uploaded)'],
  ] as const)('of %s and %s is %s', (phase, status, text) => {
    expect(describeStatus({ phase, status })).toBe(text);
  });
});
