import { afterEach, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve, type TestService } from '../testing/serve.ts';

const environment = { WEBHOOK_SECRET: 'whsec_0123456789abcdef' };

let receiver: TestService | undefined;

afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

describe('aftermeet send', () => {
  it('prints the answer without terminal control characters', async () => {
    receiver = await serve((_request, response) => response.end('\u001B[31mtaken\u202E\u009B0m'));
    const url = `${receiver.url}/hooks/default`;
    expect(await runAftermeet(['send', url], { environment })).toEqual({
      code: 0,
      stdout: `${url} answered 200: taken\n`,
      stderr: '',
    });
    const { stdout } = await runAftermeet(['send', url, '--json'], { environment });
    expect(stdout).toBe(
      `{"url":"${url}","ok":true,"status":200,"body":${String.raw`"\u001b[31mtaken\u202e\u009b0m"`}}\n`,
    );
  });

  it.each([
    [[], '{"title":"Test meeting","is_transcript_empty":false,"aftermeet_test":true}'],
    [['--meeting-id', 'm_42'], '{"title":"Test meeting","is_transcript_empty":false}'],
    [['--event', 'meeting.failed'], '{"title":"Test meeting","reason":"test"}'],
  ])('marks only the completion of a meeting that does not exist: %j', async (words, data) => {
    receiver = await serve((_request, response) => response.end());
    await runAftermeet(['send', `${receiver.url}/hooks/default`, ...words], { environment });
    expect(receiver.requests[0]).toContain(`"data":${data}}`);
  });

  it('says where a receiver takes deliveries when the address is none of its', async () => {
    receiver = await serve((_request, response) => response.writeHead(404).end());
    const { url } = receiver;
    const hint = `Use an address of a receiver: ${url}/hooks/<endpoint>. This address has no /hooks/.\n`;
    expect(await runAftermeet(['send', url], { environment })).toMatchObject({ code: 1, stderr: hint });
    expect((await runAftermeet(['send', `${url}/hooks/nobody`], { environment })).stderr).toBe('');
  });

  it.each([
    [
      'http://ann:pa55word@127.0.0.1/hooks/default',
      'The address contains a user or a password, which a delivery cannot use.\n',
    ],
    ['http://ann:pa55/word@127.0.0.1/hooks/default', 'That is not an http or https address.\n'],
    ['ftp://ann:pa55word@127.0.0.1', 'That is not an http or https address.\n'],
  ])('does not repeat the password in %s', async (url, stderr) => {
    expect(await runAftermeet(['send', url], { environment })).toEqual({ code: 2, stdout: '', stderr });
    const { stderr: json } = await runAftermeet(['send', url, '--json'], { environment });
    expect(json).not.toContain('pa55');
  });
});
