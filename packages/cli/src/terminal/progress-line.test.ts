import { describe, expect, it } from 'vitest';

import { createProgressLine } from './progress-line.ts';

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
