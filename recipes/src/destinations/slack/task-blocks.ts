import { z } from 'zod';

import { cutText } from '../../report/clean-text.ts';
import type { DigestTask } from '../../report/tasks.ts';
import type { Words } from '../../words/en.ts';
import { leavesToText, plainText } from './blocks.ts';
import type { SlackTaskBlock } from './message.ts';
import { taskLine } from './render-recap.ts';

/** What a click on the button of a task asks for; the key of the task follows, because Slack wants each id once in a message. */
export const taskAction = /^aftermeet_task_(done|open):/;

/** Slack takes 2000. */
const MAX_VALUE = 2000;
const MAX_TEXT = 600;
const MAX_LABEL = 30;

/** Slack takes 50 blocks in a message, and half of its text is for the tasks that follow as a list. */
const MAX_BUTTONS = 20;
const MAX_BUTTON_TEXT = 4000;
const valueSchema = z.object({
  meetingId: z.string(),
  taskKey: z.string(),
  /** Labels of the button, in the language of the message. */
  done: z.string(),
  reopen: z.string(),
});

/** The first tasks, each with a button. */
export function renderTaskBlocks(
  tasks: readonly DigestTask[],
  meetingId: string,
  words: Words,
): readonly SlackTaskBlock[] {
  const blocks: SlackTaskBlock[] = [];
  let left = MAX_BUTTON_TEXT;
  for (const task of tasks.slice(0, MAX_BUTTONS)) {
    const block = renderTaskBlock(task, meetingId, words);
    left -= block?.text.text.length ?? 0;
    if (block === undefined || left < 0) break;
    blocks.push(block);
  }
  return blocks;
}

/** One task with a button that says it is done; undefined: it does not fit. */
export function renderTaskBlock(
  task: DigestTask,
  meetingId: string,
  words: Words,
): SlackTaskBlock | undefined {
  const text = `• ${leavesToText(taskLine(task, words, true))}`;
  const value = JSON.stringify({ meetingId, taskKey: task.key, done: words.done, reopen: words.reopen });
  if (text.length > MAX_TEXT || value.length > MAX_VALUE) return undefined;
  return {
    type: 'section',
    text: plainText(text),
    accessory: {
      type: 'button',
      action_id: `aftermeet_task_done:${task.key}`,
      text: plainText(cutText(words.done, MAX_LABEL)),
      value,
    },
  };
}

/** The task that a button is about; undefined: it is none of ours. */
export function readTaskButton(
  value: string,
): { readonly meetingId: string; readonly taskKey: string } | undefined {
  const read = readValue(value);
  return read && { meetingId: read.meetingId, taskKey: read.taskKey };
}

const blockSchema = z.looseObject({
  text: z.looseObject({ text: z.string() }),
  accessory: z.looseObject({ value: z.string() }),
});

/** The block of this task as done, or as open again; any other block as it is. */
export function turnTaskBlock(block: object, value: string, isDone: boolean): object {
  const read = blockSchema.safeParse(block);
  const labels = readValue(value);
  if (!read.success || labels === undefined || read.data.accessory.value !== value) return block;
  const { text, accessory } = read.data;
  const label = isDone ? labels.reopen : labels.done;
  return {
    ...block,
    text: { ...text, text: text.text.replace(/^[•☑]/u, isDone ? '☑' : '•') },
    accessory: {
      ...accessory,
      action_id: `aftermeet_task_${isDone ? 'open' : 'done'}:${labels.taskKey}`,
      text: plainText(cutText(label, MAX_LABEL)),
    },
  };
}

function readValue(value: string): z.output<typeof valueSchema> | undefined {
  try {
    return valueSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
