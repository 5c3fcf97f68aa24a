import type { Socket } from 'node:net';

/** Keeps back what is written to the connection next, which is one reply, and hands it over. */
export function holdReply(socket: Socket, release: (reply: Buffer) => void): void {
  const write = socket.write.bind(socket);
  socket.write = (...given: unknown[]): boolean => {
    socket.write = write;
    const [reply] = given;
    release(typeof reply === 'string' || reply instanceof Uint8Array ? Buffer.from(reply) : Buffer.alloc(0));
    return true;
  };
}

/** Sends the reply byte by byte, each after `ms` milliseconds, until the client leaves. */
export function dripReply(socket: Socket, reply: Buffer, ms: number): void {
  const sendFrom = (at: number): void => {
    if (at >= reply.length || socket.destroyed) return;
    socket.write(reply.subarray(at, at + 1));
    timer = setTimeout(sendFrom, ms, at + 1);
  };
  let timer = setTimeout(sendFrom, ms, 0);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
