import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { selfSigned } from '@aftermeet/test/support';

/**
 * What the server does instead of its usual answer to a command; `DOT` is the end of a message. `encryptAfter`: TLS after
 * this reply. `pretendAfter`: no TLS, but more replies.
 */
type SmtpFault =
  | 'drop'
  | 'silence'
  | { readonly reply: string }
  | { readonly encryptAfter: string }
  | { readonly pretendAfter: string };

export interface SmtpScript {
  readonly url: string;
  /** Messages whose final dot arrived. */
  readonly messages: string[];
  /** Every command that arrived, in clear or encrypted. */
  readonly heard: string[];
  faults: Readonly<Record<string, SmtpFault>>;
  /** Resolves when the next such command has come. */
  reached(command: string): Promise<void>;
  close(): Promise<void>;
}

/** A mail server that fails at the wished place. */
export async function startSmtpScript(): Promise<SmtpScript> {
  const sockets = new Set<Socket>();
  const script: Script = { messages: [], heard: [], faults: {}, commands: new EventEmitter() };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 ready\r\n');
    converse(socket, script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return Object.assign(script, {
    reached: async (command: string) => void (await once(script.commands, command)),
    url: `smtp://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

interface Script {
  readonly messages: string[];
  readonly heard: string[];
  faults: Readonly<Record<string, SmtpFault>>;
  readonly commands: EventEmitter;
}

function converse(socket: Socket, script: Script): void {
  let buffer = '';
  let isData = false;
  const answer = (command: string, usual: string): void => {
    const fault = script.faults[command];
    if (fault === 'drop') socket.destroy();
    else if (fault === undefined) socket.write(`${usual}\r\n`);
    else if (fault !== 'silence') {
      const [reply] = Object.values(fault);
      socket.write(`${reply}\r\n`);
      if ('encryptAfter' in fault) encrypt(socket, script);
      if ('pretendAfter' in fault) pretend(socket, script);
    }
    script.commands.emit(command);
  };
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const text = buffer.slice(0, end);
      buffer = buffer.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        script.messages.push(text);
        answer('DOT', '250 kept');
        continue;
      }
      script.heard.push(text);
      const command = text.slice(0, 4).toUpperCase();
      isData = command === 'DATA' && script.faults['DATA'] === undefined;
      answer(command, command === 'DATA' ? '354 go on' : '250 fine');
    }
  });
}

/** Goes on with the same socket, under a certificate that no client trusts. */
function encrypt(socket: Socket, script: Script): void {
  socket.removeAllListeners('data');
  const secure = new TLSSocket(socket, { isServer: true, ...selfSigned });
  secure.on('error', () => {});
  converse(secure, script);
}

/** Notes every byte, and takes it for a command. */
function pretend(socket: Socket, script: Script): void {
  socket.removeAllListeners('data');
  socket.on('data', (chunk) => {
    script.heard.push(chunk.toString('latin1'));
    socket.write('250 fine\r\n');
  });
}
