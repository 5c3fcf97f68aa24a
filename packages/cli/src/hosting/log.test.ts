import { setImmediate } from 'node:timers/promises';

import { silentLog } from '@aftermeet/queue';
import { afterAll, expect, it } from 'vitest';

import { logWarnings } from './log.ts';

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
