import type { SlackMessage } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { walkJson } from '../messages/walk-json.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

/** Everything that a reader sees in a message's blocks, line by line. */
function readBlocks({ blocks = [] }: SlackMessage): string {
  const words = [...walkJson(blocks)].flatMap(({ name, value }) =>
    typeof value === 'string' && name === 'text' ? [value] : [],
  );
  return words.join('\n');
}

function listTypes({ blocks = [] }: SlackMessage): readonly unknown[] {
  return blocks.map(({ type }) => type);
}

function listMentions({ blocks = [] }: SlackMessage): readonly unknown[] {
  return [...walkJson(blocks)].flatMap(({ name, value }) => (name === 'user_id' ? [value] : []));
}

describe('recipes that go to Slack', () => {
  let harness: RecipeHarness;

  beforeAll(async () => {
    harness = await openRecipeHarness({
      recipes: {
        recap: { use: 'slack-recap', with: { link: 'https://app.example.com/m/{meeting_id}' } },
        filed: { use: 'slack-recap', with: { file: 'md' } },
        tasks: { use: 'slack-tasks', with: { fallback: 'C0FALLBACK' } },
        alert: { use: 'slack-alert', with: {} },
      },
      endpoints: { quiet: ['recap', 'alert'] },
    });
  });
  afterAll(() => harness.close());

  /** What has arrived since the last time, oldest first. */
  let seen = 0;
  function takeArrived(): readonly SlackMessage[] {
    const all = harness.vendors.slack.emulator.received();
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  }

  it('slack-recap posts one message to the channel, with what was decided and who does what', async () => {
    const meetingId = await harness.hold('recap');
    const [recap, ...thread] = takeArrived();
    if (recap === undefined) expect.fail('nothing was posted');
    expect(recap).toMatchObject({ channel: 'C0123456789', metadata: { event_type: expect.any(String) } });
    expect(recap.threadTs).toBeUndefined();
    expect(listTypes(recap).slice(0, 3)).toEqual(['header', 'rich_text', 'context']);
    const text = readBlocks(recap);
    expect(text).toContain('Launch review');
    expect(text).toContain('Launch on Tuesday: 10%, then half, then everybody by Thursday');
    expect(text).toContain('Write the help page about permissions');
    expect(text).not.toContain('**');
    // The screen reader's text says as much.
    expect(recap.text).toContain('Write the help page about permissions');
    expect(listMentions(recap)).toEqual(expect.arrayContaining(['U0MAYA', 'U0TOM']));
    // Who is not in Slack is named.
    expect(text).toContain('Priya Raman');
    expect(JSON.stringify(recap.blocks)).toContain(`https://app.example.com/m/${meetingId}`);
    expect(thread.every(({ threadTs, channel }) => threadTs === recap.ts && channel === recap.channel)).toBe(
      true,
    );
  });

  it('slack-recap adds the exported report to the thread', async () => {
    await harness.hold('filed');
    const [recap, ...thread] = takeArrived();
    expect(recap?.files).toBeUndefined();
    const [file] = thread.flatMap(({ files = [] }) => files);
    expect(thread.every(({ threadTs }) => threadTs === recap?.ts)).toBe(true);
    expect(file?.name).toMatch(/\.md$/);
    const bytes = harness.vendors.slack.emulator.readFile(file?.id ?? '');
    expect(bytes?.toString('utf8')).toContain('Write the help page about permissions');
  });

  it('slack-recap changes its message when the report has changed', async () => {
    const meetingId = await harness.hold('recap');
    const [recap] = takeArrived();
    await harness.editSummary(meetingId, 'Everything is *different* now.');
    await harness.holdAgain(meetingId);
    expect(takeArrived()).toEqual([]);
    const after = harness.vendors.slack.emulator.received().find(({ ts }) => ts === recap?.ts);
    expect(after?.editedTs).toEqual(expect.any(String));
    expect(readBlocks(after ?? expect.fail('it is gone'))).toContain('different');
    expect(after?.text).toContain('Everything is different now.');
  });

  it('slack-recap says again in the thread what it had taken back there', async () => {
    const long = Array.from({ length: 300 }, (_, at) => `Sentence ${at} of a long account.`).join(' ');
    const meetingId = await harness.hold('recap');
    const say = async (summary: string): Promise<readonly string[]> => {
      await harness.editSummary(meetingId, summary);
      await harness.holdAgain(meetingId);
      return harness.vendors.slack.emulator
        .received()
        .filter((message) => message.threadTs !== undefined && message.threadTs === recap?.ts)
        .map(readBlocks);
    };
    const [recap] = takeArrived();
    const first = await say(long);
    expect(first.join(' ')).toContain('Sentence 299 of');
    const shorter = await say('Little was said.');
    expect(shorter).toHaveLength(first.length);
    expect(shorter.filter((text) => text === 'This part is not in the report any more.')).not.toEqual([]);
    expect(await say(long)).toEqual(first);
    takeArrived();
  });

  it('slack-tasks tells each owner of their own tasks, and the channel of those whose owner is not there', async () => {
    await harness.hold('tasks');
    const messages = takeArrived();
    const help = messages.filter((message) => readBlocks(message).includes('Write the help page'));
    const support = messages.filter((message) => readBlocks(message).includes('Tell support and sales'));
    const copy = messages.filter((message) => readBlocks(message).includes('Start the copy'));
    expect([help, support, copy].map((each) => each.length)).toEqual([1, 1, 1]);
    expect(messages).toHaveLength(3);
    // Direct messages to two people, and a channel.
    expect(help[0]?.channel).toMatch(/^D/);
    expect(support[0]?.channel).toMatch(/^D/);
    expect(help[0]?.channel).not.toBe(support[0]?.channel);
    expect(readBlocks(support[0] ?? expect.fail())).toContain('Set up the ten-minute check on Thursday');
    expect(copy[0]?.channel).toBe('C0FALLBACK');
    expect(readBlocks(copy[0] ?? expect.fail())).toContain('Priya Raman');
  });

  it('an empty transcript brings no recap but an alert', async () => {
    await harness.hold('quiet', { isTranscriptEmpty: true, title: 'Silent meeting' });
    const [alert, ...others] = takeArrived();
    expect(others).toEqual([]);
    expect(alert?.text).toContain('Silent meeting');
    expect(alert?.text).toContain('transcript');
  });

  it('slack-alert tells of a meeting that failed, and why', async () => {
    await harness.fail(await harness.record('alert', 'Broken meeting'), 'The bot was not admitted.');
    const [alert] = takeArrived();
    expect(alert?.text).toContain('Broken meeting');
    expect(readBlocks(alert ?? expect.fail('nothing was posted'))).toContain('The bot was not admitted.');
  });

  it('slack-alert leaves the channel alone after an alert, and then says how many there were', async () => {
    for (const title of ['Second', 'Third']) {
      await harness.fail(await harness.record('alert', title), 'The bot was not admitted.');
    }
    expect(takeArrived()).toEqual([]);
    const skipped = harness.steps.filter((step) => step.kind === 'effect_skipped' && step.recipe === 'alert');
    expect(skipped).toHaveLength(2);
    harness.passTime(24 * 60 * 60_000);
    await harness.fail(await harness.record('alert', 'Fourth'), 'The bot was not admitted.');
    const [alert, ...others] = takeArrived();
    expect(others).toEqual([]);
    const text = readBlocks(alert ?? expect.fail('nothing was posted'));
    expect(text).toContain('Fourth');
    expect(text).toMatch(/\b2\b.*(?:more|not sent|suppressed)/i);
  });
});
