import { describe, expect, it } from 'vitest';

import { createProgressLine, formatProgress } from './progress.ts';

function setUp() {
  let written = '';
  let nowMs = 1_000_000;
  let tick: (() => void) | undefined;
  const line = createProgressLine({
    write: (text) => {
      written += text;
    },
    columns: () => 100,
    clock: () => nowMs,
    every: (_ms, next) => {
      tick = next;
      return () => {
        tick = undefined;
      };
    },
  });
  return {
    line,
    pass: (ms: number) => {
      nowMs += ms;
      tick?.();
    },
    isTicking: () => tick !== undefined,
    takeWritten: () => {
      const text = written;
      written = '';
      return text;
    },
  };
}

const ERASE = '\r\u001B[K';

describe('createProgressLine', () => {
  it('writes over its own line, and leaves nothing behind', () => {
    const { line, pass, takeWritten, isTicking } = setUp();
    line.show({ kind: 'bytes', label: 'sending', doneBytes: 0, totalBytes: 100 });
    expect(takeWritten()).toBe(`${ERASE}sending [........................] 0 %  0 bytes of 100 bytes`);
    line.show({ kind: 'bytes', label: 'sending', doneBytes: 10, totalBytes: 100 });
    expect(takeWritten()).toBe('');
    pass(1000);
    expect(takeWritten()).toBe(
      `${ERASE}sending [##......................] 10 %  10 bytes of 100 bytes  10 bytes/s  9 s left`,
    );
    line.clear();
    expect(takeWritten()).toBe(ERASE);
    expect(isTicking()).toBe(false);
    line.clear();
    expect(takeWritten()).toBe('');
  });

  it('rates what moved since the label appeared, not what was there before', () => {
    const { line, pass, takeWritten } = setUp();
    line.show({ kind: 'bytes', label: 'to', doneBytes: 5000, totalBytes: 9000 });
    line.show({ kind: 'bytes', label: 'to', doneBytes: 7000, totalBytes: 9000 });
    takeWritten();
    pass(2000);
    expect(takeWritten()).toContain('1000 bytes/s');
  });

  it('keeps the time of a wait while the word for it changes', () => {
    const { line, pass, takeWritten } = setUp();
    line.show({ kind: 'wait', label: 'recording' });
    pass(60_000);
    line.show({ kind: 'wait', label: 'processing' });
    pass(5000);
    expect(takeWritten().endsWith('processing  1 min 5 s')).toBe(true);
  });
});

const MIB = 1024 ** 2;

describe('formatProgress', () => {
  it('shrinks the bar on a narrow terminal', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 60 * MIB, totalBytes: 200 * MIB } as const;
    expect(formatProgress(view, { elapsedMs: 4000, movedBytes: 40 * MIB }, 76)).toBe(
      'sending [####...........] 30 %  60.0 MiB of 200.0 MiB  10.0 MiB/s  14 s left',
    );
  });

  it('shows no share without a total size', () => {
    const view = { kind: 'bytes', label: 'saving', doneBytes: 1536 } as const;
    expect(formatProgress(view, { elapsedMs: 1000, movedBytes: 1536 }, 100)).toBe(
      'saving  1.5 KiB  1.5 KiB/s',
    );
  });

  it('shows at most 100 %', () => {
    const view = { kind: 'bytes', label: 'sending', doneBytes: 300, totalBytes: 200 } as const;
    expect(formatProgress(view, { elapsedMs: 0, movedBytes: 0 }, 100)).toContain('] 100 %');
  });

  it('spins while it waits, and cleans the words of the service', () => {
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
