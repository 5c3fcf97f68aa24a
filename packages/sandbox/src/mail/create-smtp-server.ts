import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** One message as SMTP handed it over. */
export interface SmtpMessage {
  readonly raw: Buffer;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

const maxMessageBytes = 20 * 1024 * 1024;

/**
 * An SMTP server without TLS that takes any login or none. A message is answered with 250 when `keep` has
 * resolved, with 552 when it is too large, and with 451 when `keep` fails.
 */
export function createSmtpServer(keep: (message: SmtpMessage) => Promise<void>): SMTPServer {
  return new SMTPServer({
    banner: 'Aftermeet mail stand-in',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxMessageBytes,
    closeTimeout: 100,
    logger: false,
    onAuth: (auth, _session, callback) => {
      callback(null, { user: auth.username ?? 'anybody' });
    },
    onData: (stream, session, callback) => {
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false ? '' : mailFrom.address;
      const envelope = { from, to: rcptTo.map(({ address }) => address) };
      readMessage(stream)
        .then((raw) => keep({ raw, envelope }))
        .then(
          () => {
            callback(null, 'Kept: nothing leaves this machine');
          },
          (error: unknown) => {
            callback(error instanceof MessageTooLarge ? error : answerUnreadable());
          },
        );
    },
  });
}

/** RFC 5321 section 4.2.3. */
class MessageTooLarge extends Error {
  readonly responseCode = 552;
}

function answerUnreadable(): Error {
  return Object.assign(new Error('The message could not be read'), { responseCode: 451 });
}

async function readMessage(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // A stream over its size stops keeping, but must still be read to its end.
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded)
    throw new MessageTooLarge(`The message is larger than ${String(maxMessageBytes)} bytes`);
  return Buffer.concat(chunks);
}
