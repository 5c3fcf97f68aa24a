import type { EffectJob } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeEach, expect, it } from 'vitest';

import { findPrebuiltRecipe } from '../prebuilt/list-prebuilt-recipes.ts';
import { buildDigest } from '../report/digest.ts';
import { createTestTools } from '../testing/create-test-tools.ts';
import { startMs } from '../testing/effect-requests.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { takesAll } from '../testing/takes-all.ts';
import { useLedger } from '../testing/use-ledger.ts';
import { deliverEffect } from './deliver.ts';
import type { DraftEdit } from './draft-edits.ts';
import { ANY_CONTENT } from './ledger/ledger.ts';
import { planRecipe } from './plan.ts';
import type { BoundRecipe } from './recipe.ts';

const holdFor = 'people outside would get it';

describeEachStore(
  'a message that a person approves',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let job: EffectJob;
    let title: string;
    let sent: string[];
    let discarded: number;
    let asked: number;
    /** The content for which an edit was looked up. */
    let contentHash: string;
    let edit: DraftEdit | undefined;
    let meeting = 0;

    const recipe: BoundRecipe = {
      ...takesAll,
      name: 'follow-up',
      prebuilt: findPrebuiltRecipe('email-follow-up') ?? expect.fail('there is no such recipe'),
      when: {},
      plan: () => [{ target: 'ann@example.com', part: 0 }],
      input: { from: 'report', render: () => ({ destination: 'email', message: { text: title } }) },
    };

    beforeEach(async () => {
      meeting += 1;
      title = 'Weekly sync';
      sent = [];
      [discarded, asked, contentHash, edit] = [0, 0, '', undefined];
      const event = {
        kind: 'meeting.completed',
        meetingId: `held-${kind}-${meeting}`,
        occurrence: new Date(startMs).toISOString(),
        endpoint: 'default',
        receivedAt: new Date(startMs).toISOString(),
      };
      const planned = planRecipe(recipe, event, { workspace: 'active', traceId: 'a'.repeat(32) });
      job = planned[0] ?? expect.fail('nothing was planned');
      await run();
    });

    /** What the ledger says after one start of the effect. */
    async function run(): Promise<string> {
      const { ledger } = store;
      const own = {
        recipes: new Map([[recipe.name, recipe]]),
        connectors: {
          prepare: async (_rendered: unknown, label: { readonly edit?: DraftEdit }) => ({
            result: 'ready' as const,
            prepared: {
              holdFor,
              timeoutMs: 1000,
              discard: async () => void (discarded += 1),
              probe: async () => ({ result: 'absent' as const }),
              send: async () => {
                sent.push(`${title}, to ${label.edit?.to ?? job.target}`);
                return { result: 'sent' as const, reference: 'r' };
              },
            },
          }),
          close: async () => {},
        },
        ledger,
        clock: () => startMs,
        digests: { read: async () => ({ ready: true as const, digest: buildDigest(sampleReport) }) },
      };
      const tools = {
        ...createTestTools(own, []),
        suppressions: { covers: ([address]: readonly string[]) => address === 'no@example.com' },
        askForApproval: async () => void (asked += 1),
        findEdit: async (_key: string, _approved: string, hash: string) => {
          contentHash = hash;
          return edit;
        },
      };
      // An approval queues the effect anew.
      const taken = { id: job.effectKey, attempt: 1, maxAttempts: 12, dueAtMs: startMs, startedTimes: 1 };
      await deliverEffect({ ...taken, data: job }, tools);
      const entry = await ledger.read(job.effectKey, startMs);
      return `${entry?.state}: ${entry?.cause ?? ''}`;
    }

    const approve = (content?: string) =>
      store.ledger.resolveHeld(job.effectKey, 'approved', startMs, content);

    it('is not sent until then, and is sent once as it was seen', async () => {
      expect([sent, discarded, asked]).toEqual([[], 1, 1]);
      expect(await run()).toBe(`held: ${holdFor}`);
      // Approved for something else.
      await approve('f'.repeat(64));
      expect(await run()).toBe(`held: ${holdFor}; it has changed since it was approved`);
      expect(sent).toEqual([]);
      await approve(contentHash);
      expect(await run()).toBe('sent: ');
      expect(await run()).toBe('sent: ');
      expect(sent).toEqual(['Weekly sync, to ann@example.com']);
    });

    it('is held again when its report has changed, unless any content was approved', async () => {
      await approve('f'.repeat(64));
      await run();
      await approve(contentHash);
      title = 'Weekly sync, corrected';
      expect(await run()).toBe(`held: ${holdFor}; it has changed since it was approved`);
      await approve(ANY_CONTENT);
      expect(await run()).toBe('sent: ');
      expect(sent).toEqual(['Weekly sync, corrected, to ann@example.com']);
    });

    it('goes to the recipient whom the person chose, unless that one gets no mail', async () => {
      edit = { to: 'no@example.com' };
      await approve('e'.repeat(64));
      expect(await run()).toBe('skipped: its recipient is on the suppression list');
      expect(sent).toEqual([]);
      await store.ledger.reopen(job.effectKey, startMs);
      edit = { to: 'bob@example.com' };
      expect(await run()).toBe('sent: ');
      expect(sent).toEqual(['Weekly sync, to bob@example.com']);
    });
  },
  ['redis', 'postgres'],
);
