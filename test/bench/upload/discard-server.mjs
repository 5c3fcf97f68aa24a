// A process of its own: a TCP server and an HTTP server that read and drop. The HTTP one answers every POST with
// a meeting, which is right for the final request and harmless for the others, and every GET with as many bytes
// as its query `template_name` says. Prints both ports.
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';

// The client looks whether a file begins as its format does.
const piece = Buffer.alloc(256 * 1024, '%PDF-1.7\n');

const web = createServer((request, response) => {
  if (request.method === 'GET') {
    sendBytes(response, Number(new URL(request.url, 'http://x').searchParams.get('template_name')));
    return;
  }
  request.on('data', () => {});
  request.on('end', () => {
    response.setHeader('content-type', 'application/json').end('{"meeting_id":"m_bench"}');
  });
});
const raw = createTcpServer({ allowHalfOpen: true }, (socket) => {
  socket.on('data', () => {});
  socket.on('end', () => socket.end());
});

function sendBytes(response, size) {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': size });
  let left = size;
  const more = () => {
    while (left > 0) {
      const part = piece.subarray(0, left);
      left -= part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

web.listen(0, '127.0.0.1', () => {
  raw.listen(0, '127.0.0.1', () => console.log(`${web.address().port} ${raw.address().port}`));
});
