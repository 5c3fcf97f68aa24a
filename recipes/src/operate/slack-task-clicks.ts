import { z } from 'zod';

import type { SlackApprovalCalls } from '../destinations/slack/approval-calls.ts';
import { readTaskButton, taskAction, turnTaskBlock } from '../destinations/slack/task-blocks.ts';
import type { OperatorTools } from './operator-tools.ts';
import type { SlackApprovalTools } from './slack-approvals.ts';

export type TaskClickTools = Pick<SlackApprovalTools, 'clock' | 'journal' | 'log'> &
  Pick<OperatorTools, 'setTaskDone'> & { readonly slack: Pick<SlackApprovalCalls, 'replace' | 'tell'> };

/** docs.slack.dev, block_actions payload. */
const clickSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }),
  message: z.object({
    ts: z.string(),
    text: z.string(),
    blocks: z.array(z.looseObject({ type: z.string() })),
  }),
  actions: z.tuple([z.object({ action_id: z.string().regex(taskAction), value: z.string() })], z.unknown()),
});

/**
 * Answers a click on the button of a task in a direct message: notes that it is done, or not, and shows it there. False: the
 * payload is none of these.
 */
export async function answerTaskClick(payload: unknown, tools: TaskClickTools): Promise<boolean> {
  const click = clickSchema.safeParse(payload);
  if (!click.success) return false;
  const { user, channel, message, actions } = click.data;
  const [{ action_id: action, value }] = actions;
  const task = readTaskButton(value);
  if (task === undefined) return true;
  const { slack, setTaskDone, clock, journal, log } = tools;
  const isDone = taskAction.exec(action)?.[1] === 'done';
  const who = `Slack member ${user.id}`;
  await setTaskDone({ ...task, isDone, who, nowMs: clock() });
  const what = isDone ? 'a task is done' : 'a task is open again';
  journal.note({ meetingId: task.meetingId, note: { kind: 'operated', atMs: clock(), who, what } });
  const blocks = message.blocks.map((block) => turnTaskBlock(block, value, isDone));
  const failure = await slack.replace({ channel: channel.id, ts: message.ts }, message.text, blocks);
  if (failure !== undefined) log.warn({ error: failure }, 'Slack does not show that a task is done');
  return true;
}
