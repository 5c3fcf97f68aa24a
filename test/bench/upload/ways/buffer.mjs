// The least that Node can do: one buffer, read and written again and again, over TCP.
import { open } from 'node:fs/promises';
import { connect } from 'node:net';

export async function prepare({ rawPort, path }) {
  return async () => {
    const buffer = Buffer.allocUnsafeSlow(20 * 1024 ** 2);
    const file = await open(path);
    const socket = connect(rawPort, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.resume();
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      await new Promise((resolve) => socket.write(buffer.subarray(0, bytesRead), resolve));
    }
    socket.end();
    await closed;
    await file.close();
  };
}
