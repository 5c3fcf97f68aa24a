import { createClient } from '@aftermeet/client';
import { openBackend, silentLog } from '@aftermeet/queue';
import { openOperatorTools } from '@aftermeet/recipes';
import { createSandbox } from '@aftermeet/sandbox';
import { openTestStore } from '@aftermeet/test/support';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { Defer } from '../hosting/resources.ts';
import { openConsoleData } from './console-data.ts';

it('repeats no token that was pasted in place of the name of an option', async () => {
  const defer: Defer = (part) => {
    onTestFinished(async () => {
      await part.close();
    });
    return part;
  };
  const store = await openTestStore('embedded');
  onTestFinished(() => store.dispose());
  const backend = defer(await openBackend(store.queueUrl, { log: silentLog }));
  const sandbox = defer(createSandbox());
  const { url } = await sandbox.listen();
  const [meetingId = ''] = sandbox.seed({ meetings: 1 }).meetingIds;
  const console = await openConsoleData(
    {
      backend,
      log: silentLog,
      recipes: [
        {
          name: 'recap',
          use: 'slack-recap',
          when: {},
          with: { 'xoxb-1111111111-AbCdEf': '1', channel: 'C1' },
        },
      ],
      destinations: { slack: { token: 'xoxb-1', channel: 'C1' } },
      endpoints: ['default'],
      endpointRecipes: {},
      client: createClient({ baseUrl: url, apiKey: 'sandbox_key' }),
    },
    defer,
  );
  const [recipe] = await console.listRecipes();
  expect(recipe?.problems.join('\n')).toContain('xoxb…');
  const { journal } = defer(await openOperatorTools(backend));
  journal.note({ meetingId, note: { kind: 'operated', atMs: Date.now(), who: 'test', what: 'nothing' } });
  const preview = await vi.waitFor(async () => {
    const found = await console.previewMeeting(meetingId);
    if (found === undefined) throw new Error('not yet in the journal');
    return found;
  });
  expect(preview).toEqual({ problem: expect.stringContaining('xoxb…') });
  expect(JSON.stringify([recipe, preview])).not.toContain('1111');
});
