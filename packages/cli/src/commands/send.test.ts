import { verifyDelivery, type VerifyDeliveryInput } from '@aftermeet/webhooks';
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
    [['--meeting-id', 'm_42'], '{"is_transcript_empty":false}'],
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

  describe('to an Aftermeet Trigger in n8n', () => {
    const trigger = {
      secrets: [environment.WEBHOOK_SECRET],
      toleranceSeconds: 300,
    };
    const answers = {
      200: '{"status":"accepted"}',
      401: '{"status":"refused","reason":"unauthorized"}',
      404: '{"code":404,"message":"not registered"}',
    };

    it.each([
      '/webhook/0b1c/webhook',
      '/webhook-test/0b1c/webhook',
      '/n8n/webhook/w1/aftermeet%20trigger/webhook',
    ])('at %s it signs with WEBHOOK_SECRET', async (path) => {
      const seen: VerifyDeliveryInput[] = [];
      receiver = await serve((request, response, body) => {
        seen.push({
          ...trigger,
          body: Buffer.from(body),
          signature: request.headersDistinct['x-service-signature'],
          timestamp: request.headersDistinct['x-service-timestamp'],
          nowSeconds: Date.now() / 1000,
        });
        response.end(answers[200]);
      });
      const url = `${receiver.url}${path}`;
      expect(await runAftermeet(['send', url], { environment })).toEqual({
        code: 0,
        stdout: `${url} answered 200: ${answers[200]}\n`,
        stderr: '',
      });
      expect(seen.map((one) => verifyDelivery(one).ok)).toEqual([true]);
    });

    it.each([
      ['webhook-test', 404, answers[404], 'n8n takes a Test URL only while its editor listens'],
      ['webhook', 404, answers[404], 'n8n has no published workflow at this address.'],
      ['webhook-test', 401, answers[401], 'The editor says the reason.'],
      ['webhook', 401, answers[401], "n8n's log says the reason."],
      ['webhook', 200, '{"status":"ignored"}', 'its Events or Filters leave it out'],
    ])('of /%s/ explains the answer %i', async (path, status, body, advice) => {
      receiver = await serve((_request, response) => response.writeHead(status).end(body));
      const { code, stderr } = await runAftermeet(['send', `${receiver.url}/${path}/0b1c/webhook`], {
        environment,
      });
      expect(code).toBe(status === 200 ? 0 : 1);
      expect(stderr).toContain(advice);
      expect(stderr).not.toContain('/hooks/');
    });

    it('asks for the secret of its credential, and has nothing to wait for', async () => {
      const url = 'http://127.0.0.1:9/webhook/0b1c/webhook';
      for (const known of [{}, { WEBHOOK_MASTER_SECRET: 'N4vJq8Zt2LkWx7RbN4vJq8Zt2LkWx7Rb' }]) {
        expect(await runAftermeet(['send', url], { environment: known })).toEqual({
          code: 2,
          stdout: '',
          stderr:
            'There is no secret to sign with: set WEBHOOK_SECRET to the Webhook Secret of the credential in n8n.\n',
        });
      }
      const { stderr: down } = await runAftermeet(['send', url], { environment });
      expect(down).toContain('http://127.0.0.1:9 did not answer');
      expect(down).toContain('Is n8n running?');
      const { code, stderr } = await runAftermeet(['send', url, '--wait', '5s'], { environment });
      expect([code, stderr]).toEqual([
        2,
        '--wait asks a receiver. n8n shows by itself whether a workflow has started.\n',
      ]);
    });
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
