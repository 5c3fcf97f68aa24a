import { describe, expect, it } from 'vitest';

import { parseText } from '../../report/parse-text.ts';
import { de } from '../../words/de.ts';
import { readTaskButton, renderTaskBlock, turnTaskBlock } from './task-blocks.ts';

const task = { key: 'k1', text: parseText('Send the *offer* ~now~'), due: '2026-07-10', atSeconds: 65 };

describe('a task with a button', () => {
  const block = renderTaskBlock(task, 'm_1', de);
  if (block === undefined) throw new Error('it does not fit');
  const { value } = block.accessory;

  it('says what is to be done, word for word', () => {
    expect(block.text).toEqual({
      type: 'plain_text',
      text: '• Send the offer ~now~ (fällig: 10.07.2026) · gesagt bei 1:05',
      emoji: false,
    });
    expect([block.accessory.action_id, block.accessory.text.text]).toEqual([
      'aftermeet_task_done:k1',
      'Erledigt',
    ]);
    expect(readTaskButton(value)).toEqual({ meetingId: 'm_1', taskKey: 'k1' });
  });

  it('is done, and open again', () => {
    // Slack adds an id to each block.
    const shown = { ...block, block_id: 'b1' };
    const done = turnTaskBlock(shown, value, true);
    expect(done).toMatchObject({
      block_id: 'b1',
      text: { text: '☑ Send the offer ~now~ (fällig: 10.07.2026) · gesagt bei 1:05' },
      accessory: { action_id: 'aftermeet_task_open:k1', text: { text: 'Wieder öffnen' }, value },
    });
    expect(turnTaskBlock(done, value, false)).toEqual(shown);
  });

  it.each([
    ['of another task', { ...block, accessory: { ...block.accessory, value: '{}' } }],
    ['without a button', { type: 'header', text: { type: 'plain_text', text: '• x' } }],
  ])('leaves a block %s alone', (_what, other) => {
    expect(turnTaskBlock(other, value, true)).toBe(other);
  });

  it('has none where it is too long, and knows none that is not ours', () => {
    expect(renderTaskBlock({ ...task, text: parseText('x'.repeat(700)) }, 'm_1', de)).toBeUndefined();
    expect(renderTaskBlock(task, 'm'.repeat(2000), de)).toBeUndefined();
    expect([readTaskButton('x'), readTaskButton('{"meetingId":1}')]).toEqual([undefined, undefined]);
  });
});
