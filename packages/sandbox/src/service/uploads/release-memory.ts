/**
 * Gives the memory of bytes back at once. The collector would let 32 MB of what came in from the network pile up
 * before it looks (64 MB on Node 24), and what has waited for the disk meanwhile would outlive even that. A port that
 * is closed takes what is handed over to it and drops it. Bytes that share their memory with others are left alone.
 */
export type ReleaseMemory = (bytes: Uint8Array) => void;

export function createMemoryRelease(): ReleaseMemory {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  port2.close();
  return ({ buffer, byteLength }) => {
    if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength) {
      port1.postMessage(undefined, [buffer]);
    }
  };
}
