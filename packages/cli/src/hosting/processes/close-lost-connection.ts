import type { Worker } from 'node:cluster';

interface Closable {
  readonly close: () => void;
}

/**
 * A connection that is handed to a process in the moment when that is killed gets no answer, and node:cluster keeps it
 * open for ever. Closes it once the process is gone: its sender knows at once, and sends again.
 *
 * node:cluster hands over one at a time, and closes its own end when it was taken; another close does nothing. That
 * the connection goes through `send` is not documented: were it otherwise, senders would wait as they do without this.
 */
export function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  // It could not be started.
  if (!child.connected) return;
  const send = child.send.bind(child);
  let handedOver: Closable | undefined;
  Object.assign(child, {
    send: (...given: readonly unknown[]): unknown => {
      const [, handle] = given;
      if (isClosable(handle)) handedOver = handle;
      return Reflect.apply(send, undefined, given);
    },
  });
  worker.once('exit', () => handedOver?.close());
}

function isClosable(value: unknown): value is Closable {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
