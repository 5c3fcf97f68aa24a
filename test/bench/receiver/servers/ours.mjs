// Our receiver. Without a queue address its inbox stores nothing and answers at once; `isLogged` turns on the log as
// `aftermeet receiver` writes it, to stderr.
import { createLog } from '../../../../packages/cli/dist/hosting/log.js';
import {
  createInbox,
  createJobQueue,
  openBackend,
  silentLog,
} from '../../../../packages/queue/dist/index.js';
import { createReceiver } from '../../../../receiver/dist/index.js';
import { SECRET } from '../deliveries.mjs';

export async function start({ queueUrl, namespace, isLogged = false }) {
  const log = isLogged ? await createLog({ level: 'info', format: 'json' }) : silentLog;
  const backend = queueUrl === undefined ? undefined : await openBackend(queueUrl, { namespace, log });
  const inbox = backend === undefined ? emptyInbox() : await createInbox(backend, { log });
  const receiver = createReceiver({
    endpoints: { byName: new Map([['bench', { secrets: [SECRET] }]]) },
    inbox,
    log,
  });
  const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  return {
    port: Number(new URL(url).port),
    async count() {
      const jobs = await createJobQueue(backend);
      const { waiting } = await jobs.counts('event');
      await jobs.close();
      return waiting;
    },
    async close() {
      await receiver.close();
      await inbox.close();
      await backend?.close();
    },
  };
}

function emptyInbox() {
  const accepted = Promise.resolve({ kind: 'accepted', isConflict: false });
  return {
    accept: () => accepted,
    recordRefusal: () => Promise.resolve(),
    listRefusals: () => Promise.resolve([]),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
