import type { Socket } from 'node:net';

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

import { continueLater, drip } from '../../fault-middleware.ts';
import { callFaultKinds, callFaults, createFaultPlan, type CallFault, type FaultPlan } from '../../faults.ts';

/** The largest message, announced as SIZE (RFC 1870). */
const MAX_BYTES = 20 * 1024 * 1024;

/** One message as SMTP handed it over. */
export interface SmtpMessage {
  readonly raw: Buffer;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

export interface SmtpServerParts {
  readonly faults: FaultPlan<CallFault>;
  /** Resolves when the message is kept. */
  readonly keep: (message: SmtpMessage) => Promise<void>;
}

/**
 * The steps of a transaction that a fault can be on. `data`: a connection is lost at that command, and a `status` comes
 * after the final dot; nothing is kept. `accepted`: the message is kept first.
 */
const targets = ['connect', 'auth', 'mail', 'rcpt', 'data', 'accepted'];

/** The faults of a mail server, of the same kinds as those of an HTTP call; `status` is the code of the reply. */
export function createMailFaults(seed?: number): FaultPlan<CallFault> {
  const allTargets = [...targets, 'or rcpt:<address>'];
  return createFaultPlan([{ ...callFaults, targets: allTargets, acceptsTarget: isRecipient }], seed);
}

function isRecipient(on: string): boolean {
  return /^rcpt:[^\s@]+@[^\s@]+$/.test(on);
}

type Done = (error?: Error | null, reply?: string) => void;

/**
 * An SMTP server that accepts any login or none, without TLS: a client would have to be told to trust its certificate.
 * A message is answered with 250 when it is kept, 552 when it is too large, 451 when it cannot be read.
 */
export function createSmtpServer({ faults, keep }: SmtpServerParts): SMTPServer {
  const sockets = new Map<string, Socket>();

  /** Applies the fault to one step: `go` does the step, `done` refuses it. */
  function step(session: SMTPServerSession, fault: CallFault | undefined, done: Done, go: () => void): void {
    const socket = sockets.get(addressOf(session));
    if (socket === undefined || fault === undefined) go();
    else {
      applyFault(fault, socket, go, (code) => {
        done(toSmtpError(code));
      });
    }
  }

  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: Done,
  ): Promise<void> {
    const fault = faults.take('data', callFaultKinds);
    if (fault !== undefined && faultsWhileReading.has(fault.kind)) {
      stream.resume();
      step(session, fault, done, () => {});
      return;
    }
    const raw = await readMessage(stream);
    const to = session.envelope.rcptTo.map(({ address }) => address);
    const isAfter = fault !== undefined && faultsAfterKeeping.has(fault.kind);
    await new Promise<void>((resolve) => {
      step(session, isAfter ? undefined : fault, done, resolve);
    });
    await keep({ raw, envelope: { from: senderOf(session), to } });
    step(session, isAfter ? fault : faults.take('accepted', callFaultKinds), done, () => {
      done(null, 'Kept: nothing leaves this machine');
    });
  }

  const server = new SMTPServer({
    banner: 'Aftermeet mail emulator',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    size: MAX_BYTES,
    closeTimeout: 100,
    logger: false,
    onConnect: (session, done) => {
      step(session, faults.take('connect', callFaultKinds), done, () => {
        done();
      });
    },
    onAuth: (auth, session, done) => {
      const refuse: Done = (error) => {
        done(error);
      };
      step(session, faults.take('auth', callFaultKinds), refuse, () => {
        done(null, { user: auth.username ?? 'unknown' });
      });
    },
    onMailFrom: (_address, session, done) => {
      step(session, faults.take('mail', callFaultKinds), done, done);
    },
    onRcptTo: ({ address }, session, done) => {
      step(session, takeRecipientFault(faults, address), done, done);
    },
    onData: (stream, session, done) => {
      receive(stream, session, done).catch((error: unknown) => {
        done(error instanceof MessageTooLarge ? error : toSmtpError(451, 'The message could not be read'));
      });
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    sockets.set(address, socket);
    socket.once('close', () => sockets.delete(address));
  });
  return server;
}

interface Endpoints {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
}

/** Both ends of a connection: two clients on different addresses can have the same port. The library shortens mapped IPv4 addresses. */
function addressOf({ remoteAddress = '', remotePort = 0, localAddress = '' }: Endpoints): string {
  const [remote, local] = [remoteAddress, localAddress].map((text) => text.replace(/^::ffff:/i, ''));
  return `${remote ?? ''} ${String(remotePort)} ${local ?? ''}`;
}

function senderOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? '' : mailFrom.address;
}

/** A fault on the recipient's address takes precedence. */
function takeRecipientFault(plan: FaultPlan<CallFault>, address: string): CallFault | undefined {
  const own = `rcpt:${address.toLowerCase()}`;
  const named = plan.list().find(({ fault }) => fault.on.toLowerCase() === own);
  const fault = named === undefined ? undefined : plan.take(named.fault.on, callFaultKinds);
  return fault ?? plan.take('rcpt', callFaultKinds);
}

/** Faults that happen while the message arrives: it is never read to its end. */
const faultsWhileReading: ReadonlySet<CallFault['kind']> = new Set(['reset', 'empty', 'garbage', 'hang']);
const faultsAfterKeeping: ReadonlySet<CallFault['kind']> = new Set(['drop_after', 'cut', 'drip']);

/** RFC 5321 section 4.2.3. */
class MessageTooLarge extends Error {
  readonly responseCode = 552;
}

async function readMessage(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // A stream that is too large is read to its end, but not kept.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw new MessageTooLarge(`The message is larger than ${String(MAX_BYTES)} bytes`);
  return Buffer.concat(chunks);
}

const notSmtp = '\u0015\u0003\u0001\u0000\u0002\u0002\r\n';

/** Applies a fault to one step and its reply. */
function applyFault(fault: CallFault, socket: Socket, go: () => void, refuse: (code: number) => void): void {
  switch (fault.kind) {
    case 'latency':
      continueLater(socket, fault.ms, go);
      return;
    case 'status':
      refuse(fault.status);
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroy();
      return;
    case 'garbage':
      socket.end(notSmtp);
      return;
    case 'hang':
      return;
    case 'drop_after':
      holdReply(socket, () => socket.destroy());
      break;
    case 'cut':
      holdReply(socket, (reply) => {
        socket.write(reply.subarray(0, Math.floor(reply.length / 2)));
        socket.destroySoon();
      });
      break;
    case 'drip':
      holdReply(socket, (reply) => {
        drip(
          socket,
          fault.ms,
          reply,
          (byte) => socket.write(byte),
          () => {},
        );
      });
      break;
    default:
      fault satisfies never;
  }
  go();
}

/** Holds back the next write, which is one reply, and hands it over. */
function holdReply(socket: Socket, release: (reply: Buffer) => void): void {
  const write = socket.write.bind(socket);
  socket.write = (...given: unknown[]): boolean => {
    socket.write = write;
    const [reply] = given;
    release(typeof reply === 'string' || reply instanceof Uint8Array ? Buffer.from(reply) : Buffer.alloc(0));
    return true;
  };
}

/** RFC 5321 section 4.2.3, RFC 4954. The library adds the enhanced code (RFC 3463). */
const replyTexts: ReadonlyMap<number, string> = new Map([
  [421, 'Service not available, closing transmission channel'],
  [450, 'Requested mail action not taken: mailbox unavailable'],
  [451, 'Requested action aborted: local error in processing'],
  [452, 'Requested action not taken: insufficient system storage'],
  [454, 'Temporary authentication failure'],
  [530, 'Authentication required'],
  [535, 'Authentication credentials invalid'],
  [550, 'Requested action not taken: mailbox unavailable'],
  [551, 'User not local'],
  [552, 'Requested mail action aborted: exceeded storage allocation'],
  [553, 'Requested action not taken: mailbox name not allowed'],
  [554, 'Transaction failed'],
]);

/** A refusal in the form that the SMTP library takes. */
function toSmtpError(responseCode: number, text = replyTexts.get(responseCode)): Error {
  return Object.assign(new Error(text ?? 'A fault that was planned at /_sandbox/faults'), { responseCode });
}
