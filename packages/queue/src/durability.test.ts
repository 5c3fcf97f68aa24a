import { describeEachStore, openTestStore, startScript } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { openBackend, silentLog, startJobWorker } from './index.ts';

const log = silentLog;

describeEachStore('what was accepted', (kind) => {
  it('is there after the process was killed in the middle of accepting', async () => {
    const store = await openTestStore(kind);
    const accepting = await startScript('queue-process', [store.queueUrl]);
    await accepting.nextLine('open');
    accepting.tell('flood');
    // Far enough in that groups, pipelines and connections are all in use.
    await expect.poll(() => accepting.lines.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(200);
    accepting.kill('SIGKILL');
    await accepting.ended;
    const confirmed = accepting.lines.filter((line) => line.startsWith('f'));

    const backend = await openBackend(store.queueUrl, { log });
    const found = new Set<string>();
    const worker = startJobWorker(
      backend,
      'event',
      (job) => {
        found.add(job.id);
        return Promise.resolve({ kind: 'done' });
      },
      { concurrency: 50, log },
    );
    const missing = (): string[] => confirmed.filter((id) => !found.has(id));
    await expect.poll(missing, { timeout: 20_000, interval: 50 }).toEqual([]);
    expect(confirmed.length).toBeGreaterThan(199);

    await worker.close();
    await backend.close();
    await store.dispose();
  });
});
