// The queue of jobs that do nothing: where it is, on either store.

export const noopQueue = 'noop';

/** As our own queues have it: the braces keep a namespace on one node of a cluster. */
export function toPrefix(namespace) {
  return `{${namespace}}`;
}

/** The settings of our own connections, for BullMQ. */
export function toPostgresConnection(backend, max) {
  return { ...backend.poolConfig('work'), max, schema: `${backend.namespace}_queue` };
}
