import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { openTestSlack } from '../../testing/test-slack.ts';
import { renderSlackRecap } from './render-recap.ts';

const digest = buildDigest({
  ...sampleReport,
  participants: [
    { name: 'Anna Berg', email: 'anna@example.com' },
    { name: 'Eve Out', email: 'eve@other.example' },
  ],
  tasks: ['Anna Berg', 'Eve Out'].map((owner) => ({ text: 'Work', owner })),
});
const [recap] = renderSlackRecap(digest);
const hourMs = 60 * 60 * 1000;

async function open(user?: object) {
  const at = await openTestSlack();
  if (user !== undefined) {
    at.state.rule = ({ path }) =>
      path.endsWith('users.lookupByEmail') ? { status: 200, body: { ok: true, user } } : 'pass';
  }
  return {
    ...at,
    postBlocks: async (effectKey = 'k1'): Promise<string> => {
      await at.post(recap, { effectKey });
      return JSON.stringify(at.emulator.received().at(-1)?.blocks);
    },
    lookups: () => at.state.paths.filter((path) => path.startsWith('users.')).length,
  };
}

describe('the owner of a task in a recap', () => {
  it('is mentioned if the workspace knows the address, else named; Slack is asked once an hour', async () => {
    const { postBlocks, lookups, state, emulator } = await open();
    const blocks = await postBlocks();
    expect(blocks).toContain('{"type":"user","user_id":"U0ANNA"}');
    expect(blocks).toContain('{"type":"text","text":"Eve Out","style":{"bold":true}}');
    expect(blocks).not.toContain('@');
    expect(emulator.received()[0]?.text).toContain('Anna Berg');
    await postBlocks('k2');
    expect(lookups()).toBe(2);
    state.nowMs += 2 * hourMs;
    await postBlocks('k3');
    expect(lookups()).toBe(4);
  });

  it.each(['is_restricted', 'is_ultra_restricted', 'is_stranger', 'is_bot', 'deleted'])(
    'is named when Slack says %s',
    async (mark) => {
      const { postBlocks } = await open({ id: 'U0ANNA', [mark]: true });
      expect(await postBlocks()).not.toContain('"user"');
    },
  );

  it('is named while the app may not look or Slack is broken; only the latter is asked again soon', async () => {
    const { postBlocks, lookups, state, emulator } = await open();
    emulator.options.set({ scopes: ['chat:write'] });
    expect(await postBlocks()).not.toContain('"user"');
    await postBlocks('k2');
    expect(lookups()).toBe(2);
    emulator.options.set({ scopes: ['chat:write', 'users:read.email'] });
    state.nowMs += 2 * hourMs;
    state.rule = ({ path }) => (path.includes('users.') ? { status: 503 } : 'pass');
    expect(await postBlocks('k3')).not.toContain('"user"');
    state.rule = () => 'pass';
    expect(await postBlocks('k4')).toContain('U0ANNA');
  });
});
