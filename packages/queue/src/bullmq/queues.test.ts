import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { expect, it } from 'vitest';

import { createJobQueue, openBackend, silentLog } from '../index.ts';

const log = silentLog;
const destinations = ['slack', 'notion', 'email', 'http', 'folder', 'teams'];

describeEachStore(
  'queues that were opened together',
  (kind) => {
    it('share a few sessions, however much is asked of them', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log });
      if (backend.kind !== 'postgres') throw new Error('this store is a PostgreSQL');
      const queue = await createJobQueue(backend);
      const event = { kind: 'k', meetingId: 'm', occurrence: 'o', endpoint: 'e', receivedAt: 'r' };
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          queue.addEffects(
            destinations.map((destination) => ({
              job: { effectKey: `e${index}`, destination, recipe: 'r', target: 't', part: 0, event },
            })),
          ),
        ),
      );
      for (const destination of destinations) {
        expect(await queue.countEffects(destination)).toMatchObject({ waiting: 60 });
      }
      const admin = new pg.Client({ ...backend.poolConfig('work'), application_name: 'test' });
      await admin.connect();
      // Those that are open stay so for seconds; how many were needed at once is chance.
      const { rows } = await admin.query<{ sessions: number }>(
        `select count(*)::integer as sessions from pg_stat_activity
          where datname = current_database() and application_name = 'aftermeet-work'`,
      );
      expect(rows[0]?.sessions).toBeGreaterThan(0);
      expect(rows[0]?.sessions).toBeLessThanOrEqual(4);
      await admin.end();
      await queue.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['postgres'],
);
