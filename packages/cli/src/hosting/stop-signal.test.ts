import { describe, expect, it, vi } from 'vitest';

import { armStopSignal, ignoreHangUp, onHangUp } from './stop-signal.ts';

describe('armStopSignal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'turns %s into an abort and the exit code %d, and forgets it when disarmed',
    async (name, code) => {
      const before = process.listenerCount(name);
      const stop = armStopSignal(60_000);
      expect(process.listenerCount(name)).toBe(before + 1);
      // The listeners of the test runner, if it has any, are not ours to call.
      process.listeners(name).at(-1)?.(name);
      await stop.asked;
      expect(stop.signal.aborted).toBe(true);
      expect(stop.exitCode()).toBe(code);
      stop.disarm();
      expect(process.listenerCount(name)).toBe(before);
    },
  );

  it('ends at once when asked again, but not for one wish that comes twice', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    let now = 1000;
    const stop = armStopSignal(60_000, () => now);
    const press = (): unknown => process.listeners('SIGINT').at(-1)?.('SIGINT');
    try {
      press();
      now += 499;
      press();
      expect(exit).not.toHaveBeenCalled();
      now += 1;
      press();
      expect(exit).toHaveBeenCalledExactlyOnceWith(130);
    } finally {
      stop.disarm();
      exit.mockRestore();
    }
  });
});

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
  ['that was sent in a terminal', { isUsed: true, isThere: true }, true, 'reload'],
  ['of a terminal that was closed', { isUsed: true, isThere: true }, false, 'stop'],
  ['of a terminal that was closed, under nohup', { isUsed: false, isThere: true }, false, 'reload'],
  ['to a service, which never had a terminal', { isUsed: false, isThere: false }, false, 'reload'],
])('SIGHUP %s', (_name, atStart, isThereNow, done) => {
  expect(hangUp(atStart, isThereNow)).toBe(done);
});

it('a process that cannot reload answers SIGHUP with a line', async () => {
  const said: string[] = [];
  const ask = vi.fn<() => void>();
  const listening = ignoreHangUp((text) => said.push(text), { ask });
  process.emit('SIGHUP');
  await listening.close();
  expect(said).toEqual(['SIGHUP ignored: this process reads its settings only when it starts']);
  expect(ask).not.toHaveBeenCalled();
  expect(process.listenerCount('SIGHUP')).toBe(0);
});
