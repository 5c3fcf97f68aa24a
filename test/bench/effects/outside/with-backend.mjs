import { openBackend, silentLog } from '../../../../packages/queue/dist/index.js';

/** Opens a namespace for as long as `work` takes; `open` gives something to `work` that is closed after it. */
export async function withBackend({ queueUrl, namespace }, open, work) {
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  try {
    const opened = await open(backend, { log: silentLog });
    try {
      return await work(opened, backend);
    } finally {
      await opened.close();
    }
  } finally {
    await backend.close();
  }
}
