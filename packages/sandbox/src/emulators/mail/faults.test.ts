import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { createTransport } from 'nodemailer';
import { describe, expect, it, type TestContext } from 'vitest';

import type { CallFault, FaultOrder } from '../../faults.ts';
import { createMailEmulator, type MailEmulator } from './mail.ts';

const login = { user: 'bot', pass: 'secret' };
const mail = { from: 'bot@example.com', to: 'anna@example.com', subject: 'Recap', text: 'x' };

interface Sending {
  readonly emulator: MailEmulator;
  readonly url: string;
  /** What nodemailer says: its answer, or the parts of its error that a sender decides by. */
  readonly send: (message?: object) => Promise<object>;
}

/** Every connection waits for the greeting for a tenth of a second: the tests run side by side. */
type Context = Pick<TestContext, 'onTestFinished'>;

async function start(
  { onTestFinished }: Context,
  auth?: typeof login,
  socketTimeout = 10_000,
): Promise<Sending> {
  const emulator = createMailEmulator();
  const { url } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const transport = createTransport({ url, socketTimeout, ...(auth === undefined ? {} : { auth }) });
  async function send(message: object = {}): Promise<object> {
    try {
      const { response, accepted } = await transport.sendMail({ ...mail, ...message });
      return { response, accepted };
    } catch (error) {
      const { code, responseCode, command, permanent } = error as Record<string, unknown>;
      return { code, responseCode, command, permanent };
    }
  }
  return { emulator, url, send };
}

/** What comes of one mail under one fault, and how many mails were kept. */
async function sendUnder(context: Context, fault: FaultOrder<CallFault>): Promise<readonly [object, number]> {
  const { emulator, send } = await start(context, login, fault.kind === 'hang' ? 3000 : undefined);
  emulator.faults.add(fault);
  const arrived = new Promise<void>((resolve) => {
    emulator.onReceived(() => resolve());
  });
  const outcome = await send();
  // Who hangs up on a silent server may do so before it has read the mail.
  if (fault.on === 'accepted') await arrived;
  return [outcome, emulator.received().length];
}

/** Says everything at once after the greeting; resolves with all that the server said. */
async function talk(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let heard = '';
  socket.once('data', () => socket.end(text)).on('data', (bytes) => (heard += bytes.toString()));
  await new Promise<void>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve());
  });
  return heard;
}

const refused = (code: string, command: string, responseCode: number) => ({
  code,
  command,
  responseCode,
  permanent: responseCode >= 500,
});
const lost = (code: string) => ({ code, command: 'CONN', responseCode: undefined, permanent: undefined });
const kept = { response: '250 2.6.0 Kept: nothing leaves this machine', accepted: ['anna@example.com'] };

describe.concurrent('what nodemailer says', () => {
  it('of a refusal at each step: nothing is kept', async (context) => {
    const steps = [
      ['connect', 421, 'EPROTOCOL', 'CONN'],
      ['auth', 535, 'EAUTH', 'AUTH PLAIN'],
      ['mail', 451, 'EENVELOPE', 'MAIL FROM'],
      ['rcpt', 450, 'EENVELOPE', 'RCPT TO'],
      ['rcpt', 550, 'EENVELOPE', 'RCPT TO'],
      ['data', 421, 'EMESSAGE', 'DATA'],
      ['data', 554, 'EMESSAGE', 'DATA'],
    ] as const;
    const outcomes = await Promise.all(
      steps.map(([on, status]) => sendUnder(context, { kind: 'status', on, status })),
    );
    expect(outcomes).toEqual(steps.map(([, status, code, command]) => [refused(code, command, status), 0]));
  });

  it('of a lost connection before the mail is kept', async (context) => {
    const outcomes = await Promise.all([
      sendUnder(context, { kind: 'empty', on: 'connect' }),
      sendUnder(context, { kind: 'reset', on: 'connect' }),
      sendUnder(context, { kind: 'garbage', on: 'connect' }),
      sendUnder(context, { kind: 'drop_after', on: 'mail' }),
      sendUnder(context, { kind: 'hang', on: 'rcpt' }),
      sendUnder(context, { kind: 'empty', on: 'data' }),
      sendUnder(context, { kind: 'hang', on: 'data' }),
    ]);
    expect(outcomes).toEqual([
      [lost('ECONNECTION'), 0],
      [lost('ESOCKET'), 0],
      [lost('EPROTOCOL'), 0],
      [lost('ECONNECTION'), 0],
      [lost('ETIMEDOUT'), 0],
      [lost('ECONNECTION'), 0],
      [lost('ETIMEDOUT'), 0],
    ]);
  });

  it('of a mail that is kept and never confirmed: the same, so it cannot tell', async (context) => {
    const outcomes = await Promise.all([
      sendUnder(context, { kind: 'drop_after', on: 'accepted' }),
      sendUnder(context, { kind: 'drop_after', on: 'data' }),
      sendUnder(context, { kind: 'cut', on: 'accepted' }),
      sendUnder(context, { kind: 'reset', on: 'accepted' }),
      sendUnder(context, { kind: 'hang', on: 'accepted' }),
      sendUnder(context, { kind: 'status', on: 'accepted', status: 451 }),
    ]);
    expect(outcomes).toEqual([
      [lost('ECONNECTION'), 1],
      [lost('ECONNECTION'), 1],
      [lost('ECONNECTION'), 1],
      [lost('ESOCKET'), 1],
      [lost('ETIMEDOUT'), 1],
      [refused('EMESSAGE', 'DATA', 451), 1],
    ]);
  });

  it('of a slow server: nothing', async (context) => {
    const outcomes = await Promise.all([
      sendUnder(context, { kind: 'latency', on: 'mail', ms: 20 }),
      sendUnder(context, { kind: 'drip', on: 'accepted', ms: 1 }),
    ]);
    expect(outcomes).toEqual([
      [kept, 1],
      [kept, 1],
    ]);
  });

  it('of recipients that are refused one by one, each with its enhanced code', async (context) => {
    const { emulator, url } = await start(context);
    emulator.faults.add({ kind: 'status', on: 'rcpt:Tom@Example.com', status: 550, times: null });
    emulator.faults.add({ kind: 'status', on: 'rcpt:full@example.com', status: 452 });
    const info = await createTransport(url).sendMail({
      ...mail,
      to: ['anna@example.com', 'tom@example.com', 'full@example.com'],
    });
    expect([info.accepted, info.rejected]).toEqual([
      ['anna@example.com'],
      ['tom@example.com', 'full@example.com'],
    ]);
    expect(info.rejectedErrors?.map((error) => [error.response, error.permanent])).toEqual([
      ['550 5.1.1 Requested action not taken: mailbox unavailable', true],
      ['452 4.2.2 Requested action not taken: insufficient system storage', false],
    ]);
    expect(emulator.received()[0]?.envelope.to).toEqual(['anna@example.com']);
  });
});

describe.concurrent('hostile clients', () => {
  it('leave the server as it was', async (context) => {
    const { emulator, url, send } = await start(context);
    await Promise.all([
      talk(url, '\u0000\u0001\u0002\r\n'),
      talk(url, `MAIL FROM:<${'a'.repeat(5000)}@example.com>\r\n`),
      talk(url, 'EHLO x\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nhalf a mail'),
      talk(url, 'EHLO x\r\nAUTH PLAIN ====\r\n'),
    ]);
    expect(emulator.received()).toEqual([]);
    expect(await send()).toEqual(kept);
  });
});

/** Sends each line when the server has answered the one before; resolves with the last reply, '' if the connection ended. */
async function converse(socket: Socket, lines: readonly string[]): Promise<string> {
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  let reply = greeting.toString();
  for (const line of lines) {
    const answer = Promise.race([
      once(socket, 'data').then(([bytes]) => (bytes as Buffer).toString()),
      once(socket, 'close').then(() => ''),
    ]);
    socket.write(`${line}\r\n`);
    reply = await answer;
  }
  return reply;
}

// Other systems have one loopback address only.
it.runIf(process.platform === 'linux')(
  'a fault hits its own client, although another one has the same port',
  async (context) => {
    const { emulator, url } = await start(context);
    const port = Number(new URL(url).port);
    const first = connect({ host: '127.0.0.1', port });
    await once(first, 'connect');
    const second = connect({
      host: '127.0.0.1',
      port,
      localAddress: '127.0.0.2',
      localPort: first.localPort,
    });
    await once(second, 'connect');
    emulator.faults.add({ kind: 'empty', on: 'mail' });
    const greeted = converse(second, ['EHLO b']);
    expect(await converse(first, ['EHLO a', 'MAIL FROM:<a@example.com>'])).toBe('');
    expect(await greeted).toContain('250');
    expect(second.destroyed).toBe(false);
    second.destroy();
  },
);
