import { expect, it } from 'vitest';

import { onHangUp } from './on-hang-up.ts';

/** What SIGHUP does to a process whose terminal was like this at its start, and is there or not by now. */
function hangUp(
  atStart: { readonly isUsed: boolean; readonly isThere: boolean },
  isThereNow: boolean,
): string {
  const done: string[] = [];
  let { isThere } = atStart;
  const forget = onHangUp(
    { reload: () => done.push('reload'), stop: () => done.push('stop') },
    { isUsed: () => atStart.isUsed, isThere: () => isThere },
  );
  isThere = isThereNow;
  process.emit('SIGHUP');
  forget();
  expect(process.listenerCount('SIGHUP')).toBe(0);
  return done.join();
}

it.each([
  ['that somebody sent in a terminal', { isUsed: true, isThere: true }, true, 'reload'],
  ['of a terminal that was closed', { isUsed: true, isThere: true }, false, 'stop'],
  ['of a terminal that was closed, under nohup', { isUsed: false, isThere: true }, false, 'reload'],
  ['to a service, which never had a terminal', { isUsed: false, isThere: false }, false, 'reload'],
])('SIGHUP %s', (_name, atStart, isThereNow, done) => {
  expect(hangUp(atStart, isThereNow)).toBe(done);
});
