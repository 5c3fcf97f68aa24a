// What an ordinary program does that sends a file over TCP, with the read size that was best.
import { createReadStream } from 'node:fs';
import { connect } from 'node:net';

export async function prepare({ rawPort, path }, onData = () => {}) {
  return () =>
    new Promise((resolve, reject) => {
      const socket = connect(rawPort, '127.0.0.1');
      socket.on('error', reject).on('close', resolve).resume();
      const file = createReadStream(path, { highWaterMark: 1024 ** 2 });
      file.on('error', reject).on('data', onData);
      file.pipe(socket);
    });
}
