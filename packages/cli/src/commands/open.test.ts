import { expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';

it.each([
  [{}, 'http://127.0.0.1:8080/console/meetings/m%2F42'],
  [{ HOST: '::', PORT: '9000' }, 'http://127.0.0.1:9000/console/meetings/m%2F42'],
  [{ ADMIN_PORT: '9001', ADMIN_HOST: '::1' }, 'http://[::1]:9001/console/meetings/m%2F42'],
  [{ AFTERMEET_URL: 'https://hooks.example.com/' }, 'https://hooks.example.com/console/meetings/m%2F42'],
])('aftermeet open with %j prints where the meeting is shown', async (environment, url) => {
  expect(await runAftermeet(['open', 'm/42'], { environment })).toEqual({
    code: 0,
    stdout: `${url}\n`,
    stderr: '',
  });
  const { stdout } = await runAftermeet(['open', 'm/42', '--json'], { environment, isTerminal: true });
  expect(JSON.parse(stdout)).toEqual({ meetingId: 'm/42', url });
});
