import type { Socket } from 'node:net';

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';
import type { Greylist } from './greylist.ts';
import { takeRecipientFault } from './mail-faults.ts';
import type { MailKnobs } from './mail-knobs.ts';
import { playMailFault } from './play-mail-fault.ts';
import { refuseSmtp } from './smtp-reply.ts';

/** One message as SMTP handed it over. */
export interface SmtpMessage {
  readonly raw: Buffer;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

export interface SmtpServerParts {
  /** Resolves when the message is kept. */
  readonly keep: (message: SmtpMessage) => Promise<void>;
  readonly faults: FaultPlan<CallFault>;
  readonly readKnobs: () => MailKnobs;
  readonly greylist: Greylist;
}

type Done = (error?: Error | null, reply?: string) => void;

/**
 * An SMTP server that takes any login or none. TLS and STARTTLS are left out: it would need a certificate that the
 * client has to be told to trust. A message is answered with 250 when it is kept, with 552 when it is too large, and
 * with 451 when it cannot be read.
 */
export function createSmtpServer({ keep, faults, readKnobs, greylist }: SmtpServerParts): SMTPServer {
  const sockets = new Map<number, Socket>();

  function play(session: SMTPServerSession, fault: CallFault | undefined, done: Done, go: () => void): void {
    const socket = sockets.get(session.remotePort);
    const refuse = (code: number): void => {
      done(refuseSmtp(code));
    };
    if (socket === undefined) go();
    else playMailFault(fault, socket, { go, refuse });
  }

  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: Done,
  ): Promise<void> {
    const fault = faults.take('data');
    const isDoneFirst = ['drop_after', 'cut', 'drip'].includes(fault?.kind ?? '');
    if (fault !== undefined && breaksOff.has(fault.kind)) {
      stream.resume();
      play(session, fault, done, () => {});
      return;
    }
    const raw = await readMessage(stream, readKnobs().max_bytes);
    const { mailFrom, rcptTo } = session.envelope;
    const from = mailFrom === false ? '' : mailFrom.address;
    const envelope = { from, to: rcptTo.map(({ address }) => address) };
    await new Promise<void>((resolve) => {
      play(session, isDoneFirst ? undefined : fault, done, resolve);
    });
    await keep({ raw, envelope });
    play(session, isDoneFirst ? fault : faults.take('accepted'), done, () => {
      done(null, 'Kept: nothing leaves this machine');
    });
  }

  const server = new SMTPServer({
    banner: 'Aftermeet mail stand-in',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Read at every EHLO and MAIL: the knob can be turned meanwhile.
    get size() {
      return readKnobs().max_bytes;
    },
    closeTimeout: 100,
    logger: false,
    onConnect: (session, done) => {
      play(session, faults.take('connect'), done, () => {
        done();
      });
    },
    onAuth: (auth, session, done) => {
      const refuse: Done = (error) => {
        done(error);
      };
      play(session, faults.take('auth'), refuse, () => {
        done(null, { user: auth.username ?? 'anybody' });
      });
    },
    onMailFrom: (_address, session, done) => {
      play(session, faults.take('mail'), done, () => {
        const isStranger = readKnobs().require_auth && session.user === undefined;
        done(isStranger ? refuseSmtp(530) : null);
      });
    },
    onRcptTo: ({ address }, session, done) => {
      play(session, takeRecipientFault(faults, address), done, () => {
        const { greylist_seconds: seconds } = readKnobs();
        const { mailFrom } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const waits = seconds !== null && greylist.refuses(from, address, seconds);
        done(waits ? refuseSmtp(451, 'Greylisted, try again later') : null);
      });
    },
    onData: (stream, session, done) => {
      receive(stream, session, done).catch((error: unknown) => {
        done(error instanceof MessageTooLarge ? error : refuseSmtp(451, 'The message could not be read'));
      });
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  return server;
}

/** Faults that happen while the message comes: it is never read to its end. */
const breaksOff: ReadonlySet<CallFault['kind']> = new Set(['reset', 'empty', 'garbage', 'hang']);

/** RFC 5321 section 4.2.3. */
class MessageTooLarge extends Error {
  readonly responseCode = 552;
}

async function readMessage(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // A stream over its size stops keeping, but must still be read to its end.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw new MessageTooLarge(`The message is larger than ${String(maxBytes)} bytes`);
  return Buffer.concat(chunks);
}
