import { setImmediate } from 'node:timers/promises';

import { silentLog } from '@aftermeet/queue';
import { afterAll, expect, it } from 'vitest';

import { logFailure, logWarnings } from './log.ts';

const listeners = process.listeners('warning');

afterAll(() => {
  process.removeAllListeners('warning');
  for (const listener of listeners) process.on('warning', listener);
});

it('writes warnings of Node as lines of the log, and leaves none to Node', async () => {
  const lines: string[] = [];
  logWarnings({
    ...silentLog,
    warn: (fields, text) => void lines.push(`${text} ${JSON.stringify(fields)}`),
  });
  process.emitWarning('11 close listeners added', { type: 'MaxListenersExceededWarning' });
  await setImmediate();
  expect(lines).toEqual(['11 close listeners added {"warning":"MaxListenersExceededWarning"}']);
  expect(process.listenerCount('warning')).toBe(1);
});

it('writes what ends a process, and passes it on', async () => {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    error: (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`),
  };
  await logFailure(log, Promise.resolve());
  await expect(logFailure(log, Promise.reject(new Error('the store is away')))).rejects.toThrow(
    'the store is away',
  );
  expect(lines).toEqual(['this process cannot go on {"error":"the store is away"}']);
});
