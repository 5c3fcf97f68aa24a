import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { expect, it } from 'vitest';

import { openBackend, silentLog } from '../index.ts';
import { createExpiryCleaner } from './postgres-inbox.ts';

describeEachStore(
  'expired marks',
  (kind) => {
    it('are all deleted, however many they are, once a minute', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      if (backend.kind !== 'postgres') throw new Error('this store is a PostgreSQL');
      const pool = new pg.Pool(backend.poolConfig('work'));
      pool.on('error', () => undefined); // `end` does not wait for its connections; the store's end breaks them.
      const count = async (): Promise<unknown> => {
        const { rows } = await pool.query<{ marks: number; names: number }>(
          `select (select count(*)::integer from aftermeet.marks) as marks,
                  (select count(*)::integer from aftermeet.announcements) as names`,
        );
        return rows[0];
      };
      await pool.query(
        `insert into aftermeet.marks select n, n from generate_series(1, 2600) as n;
         insert into aftermeet.announcements select n, n, n from generate_series(1, 1600) as n`,
      );
      let nowMs = 0;
      let running = 0;
      let most = 0;
      const clean = createExpiryCleaner(
        {
          query: async (text: string, values: unknown[]) => {
            running += 1;
            most = Math.max(most, running);
            const result = await pool.query(text, values);
            running -= 1;
            return result;
          },
        } as Pick<pg.Pool, 'query'>, // Its overloads are more than one function can say.
        { namespace: 'aftermeet', clock: () => 1500, log: silentLog, nowMs: () => nowMs },
      );
      nowMs = 59_999;
      clean();
      expect(await count()).toEqual({ marks: 2600, names: 1600 });
      nowMs = 60_000;
      clean();
      nowMs = 120_000;
      clean();
      await expect.poll(count, { interval: 10 }).toEqual({ marks: 1100, names: 100 });
      expect(most).toBe(1);
      await pool.end();
      await backend.close();
      await store.dispose();
    });
  },
  ['postgres'],
);
