import { connect } from 'node:net';

/** What came back on one connection until it ended, and how it ended. */
export interface RawAnswer {
  readonly bytes: string;
  readonly isReset: boolean;
}

/** Sends the bytes on a connection of their own and waits for its end; an answer that stays open is cut by `Connection: close`. */
export async function askRaw(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let bytes = '';
  let isReset = false;
  socket.setEncoding('latin1').on('data', (piece: string) => (bytes += piece));
  socket.on('error', (error: NodeJS.ErrnoException) => (isReset = error.code === 'ECONNRESET'));
  socket.write([...lines, `Host: ${hostname}`, 'Connection: close', '', body].join('\r\n'));
  await new Promise((resolve) => socket.once('close', resolve));
  return { bytes, isReset };
}
