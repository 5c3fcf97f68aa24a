import { describe, expect, it } from 'vitest';

import { formatProgress } from './format-progress.ts';

const MIB = 1024 ** 2;

describe('formatProgress', () => {
  it('shows share, size, rate and the time that is left', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 60 * MIB, totalBytes: 200 * MIB } as const;
    expect(formatProgress(view, { elapsedMs: 4000, movedBytes: 40 * MIB }, 100)).toBe(
      'sending [#######.................] 30 %  60.0 MiB of 200.0 MiB  10.0 MiB/s  14 s left',
    );
  });

  it('takes the room that it needs from the bar', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 60 * MIB, totalBytes: 200 * MIB } as const;
    expect(formatProgress(view, { elapsedMs: 4000, movedBytes: 40 * MIB }, 76)).toBe(
      'sending [####...........] 30 %  60.0 MiB of 200.0 MiB  10.0 MiB/s  14 s left',
    );
  });

  it('gives no rate before there is one', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 0, totalBytes: 200 * MIB } as const;
    expect(formatProgress(view, { elapsedMs: 100, movedBytes: 0 }, 100)).toBe(
      'sending [........................] 0 %  0 bytes of 200.0 MiB',
    );
  });

  it('does without a size that nobody knows', () => {
    const view = { kind: 'bytes', label: 'saving', doneBytes: 1536 } as const;
    expect(formatProgress(view, { elapsedMs: 1000, movedBytes: 1536 }, 100)).toBe(
      'saving  1.5 KiB  1.5 KiB/s',
    );
  });

  it('never shows more than all', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 300, totalBytes: 200 } as const;
    expect(formatProgress(view, { elapsedMs: 0, movedBytes: 0 }, 100)).toContain('] 100 %');
  });

  it('turns a wheel while it waits, and cleans the words of the service', () => {
    const view = { kind: 'wait', label: '\u001B[31mqueued\nfor long' } as const;
    expect(formatProgress(view, { elapsedMs: 200_120, movedBytes: 0 }, 100)).toBe(
      '\\ queued for long  3 min 20 s',
    );
  });

  it('stays within the terminal', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 1, totalBytes: 2 } as const;
    expect(formatProgress(view, { elapsedMs: 0, movedBytes: 0 }, 20)).toBe('sending [###...] 50…');
  });
});
