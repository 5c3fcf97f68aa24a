// Our client without hashing, which it never does without: its own parts, put together without a hash.
import { createChunkBuffer, planUpload } from '../../../../packages/client/dist/upload/chunk-format.js';
import { sendChunks } from '../../../../packages/client/dist/upload/chunk-run.js';
import { createChunkSender, measureForm } from '../../../../packages/client/dist/upload/chunk-sender.js';
import { openSource } from '../../../../packages/client/dist/upload/source.js';
import { openTransport } from '../../../../packages/client/dist/upload/transport.js';

export async function prepare({ baseUrl, path }) {
  return async () => {
    const connection = {
      baseUrl,
      apiKey: 'key_of_the_bench',
      timeoutMs: 30_000,
      retries: 0,
      clock: Date.now,
      headers: {},
      assertKeyAllowed: async () => {},
    };
    const file = await openSource({ path });
    const { chunks, chunkTotal } = planUpload(file.size, 20 * 1024 ** 2);
    const [id, sessionId] = [crypto.randomUUID(), crypto.randomUUID()];
    const identity = { id, sessionId, filename: 'bench.mp4', size: file.size, chunkTotal, details: {} };
    const boundary = 'aftermeet-bench';
    const room = measureForm(identity, boundary);
    const transport = openTransport(connection, 1);
    const sender = createChunkSender({ connection, transport, identity, boundary });
    await sendChunks({
      file,
      chunks,
      buffers: [createChunkBuffer(20 * 1024 ** 2, room.head, room.tail)],
      giveWay: async () => {},
      isWanted: () => true,
      send: async ({ number, length }, buffer, signal) => {
        await sender.send(number, buffer, length, { signal });
      },
      onSent: async () => {},
      onSkipped: () => {},
    });
    transport.close();
    await file.close();
  };
}
