import { afterEach, describe, expect, it, vi } from 'vitest';

import type { SendResult } from '../../engine/prepared-send.ts';
import { buildDigest } from '../../report/digest.ts';
import { takePrepared } from '../../testing/bring-to-end.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { type SmtpScript, startSmtpScript } from '../../testing/start-smtp-script.ts';
import { checkMailServer } from './check.ts';
import { renderFollowUp } from './render-follow-up.ts';
import { openMail } from './send-mail.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

/** A server that takes any login, and the address of a client that requires TLS as of a server elsewhere. */
async function startServer(faults: SmtpScript['faults'], query = '?requireTLS=true') {
  const server = await startSmtpScript();
  closers.push(() => server.close());
  server.faults = faults;
  const smtpUrl = `${server.url.replace('smtp://', 'smtp://bot:hunter2@')}${query}`;
  return { server, settings: { smtpUrl, from: 'bot@example.com', to: [] } };
}

async function send(settings: Parameters<typeof openMail>[0]): Promise<SendResult> {
  const connector = openMail(settings);
  closers.unshift(() => connector.close());
  const message = renderFollowUp(buildDigest(sampleReport));
  return await takePrepared(
    await connector.prepare(message, { effectKey: 'k1', target: 'ann@example.com' }),
  ).send();
}

const listCommands = ({ heard }: SmtpScript) => heard.map((line) => line.slice(0, 4));

const withTls = { reply: '250-me\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN' };
const withoutTls = { reply: '250-me\r\n250 AUTH PLAIN LOGIN' };
const noTls =
  'the mail server 127.0.0.1 offers no TLS: use smtps:// in SMTP_URL, or let the server offer STARTTLS; ' +
  '?requireTLS=false after the address sends password and mail in clear, which only a trusted network allows';

describe('a mail server that has to use TLS', () => {
  it.each([
    ['does not know it', { EHLO: withoutTls, STAR: { reply: '502 unknown command' } }, 2],
    ['announces it and refuses', { EHLO: withTls, STAR: { reply: '550 not today' } }, 2],
    ['does not even know EHLO', { EHLO: { reply: '502 unknown command' } }, 1],
    ['cannot read EHLO', { EHLO: { reply: '500 what' } }, 1],
  ])('pauses the destination when it %s: neither password nor mail', async (_name, faults, commands) => {
    const { server, settings } = await startServer(faults);
    expect(await send(settings)).toEqual({ result: 'paused', cause: noTls });
    expect(listCommands(server)).toEqual(['EHLO', 'STAR'].slice(0, commands));
    expect(await checkMailServer(settings, 5000)).toEqual({
      name: 'mail server',
      result: 'failed',
      found: '127.0.0.1 offers no TLS',
      advice:
        'Either use smtps:// in SMTP_URL, or let the server offer STARTTLS; ?requireTLS=false after the address ' +
        'sends password and mail in clear, which only a trusted network allows.',
    });
    expect(listCommands(server)).not.toContain('AUTH');
  });

  it.each([
    [550, 'Access denied - invalid HELO name'],
    [554, 'blocked'],
  ])('is not said to offer no TLS when it answers %i to EHLO: %s', async (code, text) => {
    const { server, settings } = await startServer({ EHLO: { reply: `${code} ${text}` } });
    expect(await send(settings)).toEqual({
      result: 'permanent',
      cause: `the mail server answered ${code} to EHLO`,
    });
    expect(await checkMailServer(settings, 5000)).toEqual({
      name: 'mail server',
      result: 'failed',
      found: `it can't be used (ECONNECTION, ${code})`,
      advice: 'Check SMTP_URL.',
    });
    expect(listCommands(server)).toEqual(['EHLO', 'EHLO']);
  });

  it('waits where it offers TLS at another time', async () => {
    const { server, settings } = await startServer({ EHLO: withTls, STAR: { reply: '454 try later' } });
    expect(await send(settings)).toMatchObject({
      result: 'not_sent_retry',
      cause: 'the mail server answered 454 to STARTTLS',
    });
    expect(listCommands(server)).toEqual(['EHLO', 'STAR']);
  });

  it('gets nothing when something between says yes and goes on in clear', async () => {
    const faults = { EHLO: withoutTls, STAR: { pretendAfter: '220 go on' } };
    const { server, settings } = await startServer(faults);
    expect(await send(settings)).toMatchObject({
      result: 'not_sent_retry',
      cause: 'the mail server cannot be used now (ESOCKET, ERR_SSL_WRONG_VERSION_NUMBER)',
    });
    // The first byte of a handshake (RFC 8446, 5.1).
    expect(server.heard[2]?.charCodeAt(0)).toBe(22);
    expect(server.heard.join('\n')).not.toContain('AUTH');
    expect(server.heard.join('\n')).not.toContain('MAIL FROM');
  });

  it.each([
    ['a server', '?requireTLS=true'],
    ['a server on this machine that offers TLS', ''],
    ['one that the environment would excuse', '?requireTLS=true&tls=false&rejectUnauthorized=false'],
  ])('gets nothing under a certificate that is not trusted: %s', async (_name, query) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { server, settings } = await startServer(
      { EHLO: withTls, STAR: { encryptAfter: '220 go on' } },
      query,
    );
    expect(await send(settings)).toEqual({
      result: 'not_sent_retry',
      cause:
        'the mail server cannot be used now (ESOCKET, DEPTH_ZERO_SELF_SIGNED_CERT): its certificate does not hold',
    });
    expect(listCommands(server)).toEqual(['EHLO', 'STAR']);
    expect(await checkMailServer(settings, 5000)).toMatchObject({
      result: 'failed',
      found: "it can't be used (DEPTH_ZERO_SELF_SIGNED_CERT)",
      advice: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('sends encrypted where the address says that the certificate does not matter', async () => {
    const { server, settings } = await startServer(
      { EHLO: withTls, STAR: { encryptAfter: '220 go on' } },
      '?requireTLS=true&tls.rejectUnauthorized=false',
    );
    const sending = send(settings);
    await server.reached('STAR');
    server.faults = { EHLO: { reply: '250-me\r\n250 AUTH PLAIN' }, AUTH: { reply: '235 welcome' } };
    expect(await sending).toMatchObject({ result: 'sent' });
    const commands = ['EHLO', 'STAR', 'EHLO', 'AUTH', 'MAIL'];
    expect(listCommands(server).slice(0, 5)).toEqual(commands);
  });

  it('sends in clear where the address says so', async () => {
    const { server, settings } = await startServer(
      { EHLO: withoutTls, AUTH: { reply: '235 welcome' } },
      '?requireTLS=false',
    );
    expect(await send(settings)).toMatchObject({ result: 'sent' });
    expect(listCommands(server)).not.toContain('STAR');
  });
});
