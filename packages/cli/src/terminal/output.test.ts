import { Writable } from 'node:stream';

import { expect, it, vi } from 'vitest';

import { createOutput, type Output } from './output.ts';

/** A pipe whose reader has gone away. */
function createClosedPipe(): { readonly output: Output; readonly failures: readonly string[] } {
  const failures: string[] = [];
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const output = createOutput({
    stdout,
    isFile: false,
    stopSignal: () => undefined,
    onFailure: (code) => failures.push(code),
  });
  return { output, failures };
}

it('an output that fails is reported once and leaves the process time to clean up', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  try {
    const { output, failures } = createClosedPipe();
    output.write('first\n');
    await new Promise(setImmediate);
    output.write('second\n');
    await expect(output.writeBytes(Buffer.from('third'))).rejects.toThrow('The output is closed.');
    expect(failures).toEqual(['EPIPE']);
    expect(exit).not.toHaveBeenCalled();
  } finally {
    exit.mockRestore();
  }
});
