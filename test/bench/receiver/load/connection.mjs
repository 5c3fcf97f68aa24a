// One keep-alive connection with at most one request under way. Reads no more of an answer than its status and its end.
import { connect } from 'node:net';

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/** Resolves with a connection; `onAnswer(connection, status, head)` is called for each whole answer. */
export function openConnection(port, onAnswer, onLost) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let rest;
    const connection = {
      /** What the caller knows the request under way by. */
      index: -1,
      send(bytes) {
        socket.write(bytes);
      },
      close() {
        socket.removeAllListeners('close');
        socket.destroy();
      },
    };
    socket.once('connect', () => resolve(connection));
    socket.on('error', (error) => reject(error));
    socket.on('close', () => onLost(connection));
    socket.on('data', (piece) => {
      const bytes = rest === undefined ? piece : Buffer.concat([rest, piece]);
      const end = bytes.indexOf(headEnd);
      const head = end === -1 ? '' : bytes.latin1Slice(0, end);
      if (end === -1 || !isWhole(bytes, head, end + headEnd.length)) {
        rest = bytes;
        return;
      }
      rest = undefined;
      onAnswer(connection, Number(head.slice(9, 12)), head);
    });
  });
}

export function openConnections(count, port, onAnswer, onLost) {
  return Promise.all(Array.from({ length: count }, () => openConnection(port, onAnswer, onLost)));
}

function isWhole(bytes, head, bodyAt) {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  return length === undefined
    ? bytes.latin1Slice(bytes.length - lastChunk.length) === lastChunk ||
        bytes.latin1Slice(bodyAt) === '0\r\n\r\n'
    : bytes.length >= bodyAt + Number(length);
}
