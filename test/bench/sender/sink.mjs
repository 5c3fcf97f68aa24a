// A process of its own that accepts deliveries and does nothing else: it finds where each ends by its Content-Length
// and answers 200. Tells its port, and how many came whenever it is asked.
import { createServer } from 'node:net';

const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
const headEnd = Buffer.from('\r\n\r\n');
let count = 0;

const server = createServer({ noDelay: true }, (socket) => {
  let rest = Buffer.of();
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(headEnd); end !== -1; end = rest.indexOf(headEnd)) {
      const [, length] = /content-length: (\d+)/i.exec(rest.latin1Slice(0, end));
      const bytes = end + headEnd.length + Number(length);
      if (rest.length < bytes) return;
      rest = rest.subarray(bytes);
      count += 1;
      socket.write(answer);
    }
  });
});

process.on('message', () => process.send({ count }));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
