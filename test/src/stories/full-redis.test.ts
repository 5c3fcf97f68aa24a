import { createInbox, openBackend, silentLog } from '@aftermeet/queue';
import { createReceiver } from '@aftermeet/receiver';
import { startWorker } from '@aftermeet/recipes';
import { createVendorEmulators } from '@aftermeet/sandbox';
import { expect, it } from 'vitest';

import { standardRecipes } from '../../../recipes/src/prebuilt/bind-recipes.ts';
import { shortReport } from '../../../recipes/src/testing/sample-report.ts';
import { describeEachStore, startRedisServer } from '../support/index.ts';
import { deliver } from './deliver.ts';
import { SECRET } from './services.ts';

const AT_ONCE = 50;
const DRAINED_WITHIN_MS = 120_000;

describeEachStore(
  'a Redis that becomes full',
  () => {
    it(
      'stops the receiver while the worker can still send all that was accepted',
      async ({ onTestFinished }) => {
        const server = await startRedisServer(['--maxmemory', '20mb']);
        onTestFinished(() => server.stop());
        const backend = await openBackend(server.url, { log: silentLog });
        const inbox = await createInbox(backend, { log: silentLog });
        onTestFinished(() => inbox.close());
        const receiver = createReceiver(
          { endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) }, inbox, log: silentLog },
          { idleGraceMs: 0 },
        );
        onTestFinished(() => receiver.close());
        const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });

        const accepted: string[] = [];
        let refused = 0;
        for (let first = 0; refused < AT_ONCE; first += AT_ONCE) {
          const ids = Array.from({ length: AT_ONCE }, (_, index) => `meeting-${first + index}`);
          const statuses = await Promise.all(ids.map((id) => deliver(`${url}/hooks/default`, id)));
          expect(new Set([200, 503, ...statuses])).toEqual(new Set([200, 503]));
          accepted.push(...ids.filter((_, index) => statuses[index] === 200));
          refused = statuses.filter((status) => status === 503).length;
        }
        expect(accepted.length).toBeGreaterThan(200);
        const ready = await fetch(`${url}/readyz`);
        expect([ready.status, await ready.json()]).toEqual([
          503,
          { status: 'queue_unavailable', cause: 'store_full', endpoints: 1 },
        ]);

        const vendors = await createVendorEmulators();
        onTestFinished(() => vendors.close());
        const destinations = {
          slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
          notion: {
            token: 'ntn_test',
            baseUrl: vendors.notion.url,
            dataSourceId: vendors.notion.dataSourceId,
          },
          email: { smtpUrl: vendors.mail.url, from: 'bot@example.com', to: ['ann@example.com'] },
        };
        let sent = 0;
        const worker = await startWorker({
          backend,
          client: {
            reports: {
              get: (meetingId) => Promise.resolve({ ready: true, report: { ...shortReport, meetingId } }),
            },
          },
          recipes: standardRecipes(destinations),
          destinations,
          workspace: 'active',
          policies: { slack: { gapMs: 0 }, notion: { gapMs: 0 } },
          log: silentLog,
          observe: ({ kind }) => {
            if (kind === 'effect_sent') sent += 1;
          },
        });
        onTestFinished(() => worker.close());
        await expect
          .poll(() => sent, { timeout: DRAINED_WITHIN_MS, interval: 100 })
          .toBe(3 * accepted.length);
        await expect.poll(() => deliver(`${url}/hooks/default`, 'meeting-next'), { timeout: 5000 }).toBe(200);
      },
      DRAINED_WITHIN_MS * 2,
    );
  },
  ['redis'],
);
