import { beforeAll, describe, expect, it } from 'vitest';

import { startSandbox } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);

const { sandbox, url } = await startSandbox({ clock: () => NOW_MS, seed: 1 });
const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: 'sandbox_key' };
let meetingId: string;
let requests: string[] = [];

beforeAll(async () => {
  const { stdout } = await run('record', 'https://meet.example/a', '--title', 'Weekly sync', '--json');
  ({ meetingId } = JSON.parse(stdout) as { meetingId: string });
  sandbox.completeMeeting(meetingId);
});

function run(...words: readonly string[]) {
  requests = [];
  const countingFetch: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    // At an address of this machine the client first asks whether it is a sandbox.
    if (pathname !== '/_sandbox/identity') requests.push(pathname);
    return fetch(input, init);
  };
  return runAftermeet(words, { environment, clock: () => NOW_MS, client: { fetch: countingFetch } });
}

describe('the beginning of the id of a meeting', () => {
  it.each([
    ['status', '{id}'],
    ['report', 'get', '{id}'],
    ['report', 'generate', '{id}', 'team-sync'],
    ['export', '{id}', '--format', 'md', '--output', '-'],
    ['stop', '{id}'],
  ])('is taken by %s %s', async (...words) => {
    const withId = (id: string) => words.map((word) => word.replace('{id}', id));
    expect(await run(...withId(meetingId.slice(0, 8)))).toMatchObject({ code: 0, stderr: '' });
    const short = requests.length;
    expect(await run(...withId(meetingId))).toMatchObject({ code: 0, stderr: '' });
    // A whole id is not looked for.
    expect(short - requests.length).toBe(1);
  });

  it('is replaced by the whole id in what is printed, in any case and of any length from 8', async () => {
    for (const given of [
      meetingId.slice(0, 8).toUpperCase(),
      meetingId.slice(0, 14),
      meetingId.slice(0, 35),
    ]) {
      const { stdout } = await run('status', given, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ meetingId, phase: 'ready' });
    }
  });

  it('that no meeting has is an error that says what to do', async () => {
    const { code, stdout, stderr } = await run('status', '01234567');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'No meeting has an id that begins with "01234567", among the newest 1 of the service.\n' +
        'Give the whole id: aftermeet search --json and aftermeet meetings list --json show whole ids.\n',
    );
    const json = await run('status', '01234567', '--json');
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'not_found' } });
  });

  it.each(['m_42', '0123456', 'abcdefgh', '01234567x', '0123-4567'])(
    '%s is no beginning of a UUID, so it is a whole id',
    async (id) => {
      await run('status', id);
      expect(requests).toEqual(['/api/meeting/status']);
    },
  );

  it('that several meetings have is an error that lists them, and the command is not run', async () => {
    const ids = ['3f2a9c01-aaaa-4aaa-aaaa-aaaaaaaaaaaa', '3f2a9c01-bbbb-4bbb-abbb-bbbbbbbbbbbb'];
    const service = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ meetings: ids.map((id) => ({ id, title: 'A' })), total: 2 }));
    });
    const cancelled = await runAftermeet(['cancel', '3f2a9c01'], {
      environment: { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'k' },
    });
    await service.close();
    expect(cancelled).toEqual({
      code: 1,
      stdout: '',
      stderr: `"3f2a9c01" is the start of several ids: ${ids.join(', ')}.\nGive more characters of the id.\n`,
    });
    expect(service.requests).toHaveLength(1);
  });
});
