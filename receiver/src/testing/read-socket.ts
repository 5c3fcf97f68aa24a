import type { Socket } from 'node:net';

/** All that comes until the other side closes. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      resolve(text);
    });
  });
}

/** Resolves when what has come matches. */
export function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (pattern.test(text)) resolve(text);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
  });
}
