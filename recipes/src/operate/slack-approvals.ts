import type { Log } from '@aftermeet/queue';
import { z } from 'zod';

import { readMailEdit } from '../destinations/email/edit-mail.ts';
import type { SlackApprovalCalls } from '../destinations/slack/approval-calls.ts';
import { approvalNames } from '../destinations/slack/render-approval.ts';
import type { ApprovalRecord } from '../engine/approval-requests.ts';
import type { DraftEdit } from '../engine/draft-edits.ts';
import { approveEffect, discardEffect } from './approvals.ts';
import { findEffect } from './effects.ts';
import type { OperatorTools } from './operator-tools.ts';
import type { RetryTools } from './repair.ts';
import { describeDecision, showDecision } from './show-decision.ts';

export type SlackApprovalTools = RetryTools &
  Pick<OperatorTools, 'keepEdit' | 'readRequest' | 'takeRequests' | 'journal'> & {
    readonly slack: SlackApprovalCalls;
    readonly log: Log;
  };

/**
 * Answers what Slack tells of a click on a request for approval, or of its form. What is returned goes back to Slack;
 * undefined: an empty acknowledgement. A payload that is not ours does nothing, and so does one that is repeated: the effect
 * does not wait any more, and an approval counts for the content of its request alone.
 */
export async function answerSlackApproval(
  payload: unknown,
  tools: SlackApprovalTools,
): Promise<object | undefined> {
  const click = clickSchema.safeParse(payload);
  if (click.success) {
    await answerClick(click.data, tools);
    return undefined;
  }
  const form = formSchema.safeParse(payload);
  return form.success ? await answerForm(form.data, tools) : undefined;
}

const userSchema = z.object({ id: z.string(), team_id: z.string().optional() });

const teamSchema = z.object({ id: z.string() }).nullish();

/** docs.slack.dev, block_actions payload. */
const clickSchema = z.object({
  type: z.literal('block_actions'),
  user: userSchema,
  team: teamSchema,
  channel: z.object({ id: z.string() }),
  message: z.object({ ts: z.string() }),
  trigger_id: z.string(),
  actions: z.tuple(
    [
      z.object({
        action_id: z.enum([approvalNames.approve, approvalNames.edit, approvalNames.discard]),
        value: z.string(),
      }),
    ],
    z.unknown(),
  ),
});

const inputSchema = z.object({ value: z.string().nullable() });

/** docs.slack.dev, view_submission payload. */
const formSchema = z.object({
  type: z.literal('view_submission'),
  user: userSchema,
  team: teamSchema,
  view: z.object({
    callback_id: z.literal(approvalNames.form),
    private_metadata: z.string(),
    state: z.object({
      values: z.object({
        to: z.object({ to: inputSchema }),
        subject: z.object({ subject: inputSchema }),
      }),
    }),
  }),
});

/** Comes back with the form. */
const metadataSchema = z.object({ id: z.string(), channel: z.string(), ts: z.string() });

type Answerer = Pick<z.infer<typeof clickSchema>, 'user' | 'team'>;

async function answerClick(click: z.infer<typeof clickSchema>, tools: SlackApprovalTools): Promise<void> {
  const { slack, log } = tools;
  const { channel, message, actions, trigger_id: triggerId } = click;
  const [{ action_id: action, value: id }] = actions;
  const place = { channel: channel.id, ts: message.ts };
  const checked = await check(id, place.channel, click, tools);
  if ('refusal' in checked) {
    note(log, await slack.tell(place.channel, click.user.id, checked.refusal));
    return;
  }
  const { record } = checked;
  if (action === approvalNames.edit) {
    note(log, await slack.openForm(triggerId, record, JSON.stringify({ id, ...place })));
    return;
  }
  const kind = action === approvalNames.discard ? 'discard' : 'approve';
  await decide({ record, place, userId: click.user.id, kind }, tools);
}

async function answerForm(
  { user, team, view }: z.infer<typeof formSchema>,
  tools: SlackApprovalTools,
): Promise<object | undefined> {
  const metadata = metadataSchema.safeParse(readJson(view.private_metadata));
  if (!metadata.success) return refuseForm('subject', WORDS.unknown);
  const { id, ...place } = metadata.data;
  const checked = await check(id, place.channel, { user, team }, tools);
  if ('refusal' in checked) return refuseForm('subject', checked.refusal);
  const { to, subject } = view.state.values;
  const fields = { to: to.to.value ?? '', subject: subject.subject.value ?? '' };
  const read = readMailEdit(fields, checked.record);
  if (!read.ok) return refuseForm(read.wrong, WORDS[read.wrong]);
  const order = { record: checked.record, place, userId: user.id, kind: 'approve', edit: read.edit } as const;
  await decide(order, tools);
  return undefined;
}

function refuseForm(field: 'to' | 'subject', sentence: string): object {
  return { response_action: 'errors', errors: { [field]: sentence } };
}

const WORDS = {
  to: 'One address, such as name@example.com.',
  subject: 'One line of at most 200 characters.',
  unknown: 'This request is not known any more: see the approvals in the console.',
  expired: 'This request has expired: approve it in the console, or with "aftermeet approvals".',
  stranger: 'You are not among those who approve this.',
  unsure:
    'Who you are cannot be checked: name the approvers (approve: by), or give the app the scope users:read.',
} as const;

/** State and rights are read at the click: the button only names the request. */
async function check(
  id: string,
  channel: string,
  { user, team }: Answerer,
  { readRequest, clock, slack, log }: SlackApprovalTools,
): Promise<{ readonly record: ApprovalRecord } | { readonly refusal: string }> {
  const record = await readRequest(id);
  // A request of another channel was not shown to who clicks here.
  if (record?.destination !== 'slack' || record.target !== channel) return { refusal: WORDS.unknown };
  const { by, expiresAtMs } = record;
  if (clock() > expiresAtMs) return { refusal: WORDS.expired };
  if (by.length > 0) return by.includes(user.id) ? { record } : refuse(WORDS.stranger);
  const isOfOther = team?.id !== undefined && user.team_id !== undefined && team.id !== user.team_id;
  if (isOfOther) return refuse(WORDS.stranger);
  const member = await slack.isFullMember(user.id);
  if ('failure' in member) {
    note(log, member.failure);
    return { refusal: WORDS.unsure };
  }
  return member.isFull ? { record } : refuse(WORDS.stranger);

  function refuse(refusal: string): { readonly refusal: string } {
    log.warn(
      { effectKey: record?.effectKey, user: user.id },
      'somebody who may not approve tried it in Slack',
    );
    return { refusal };
  }
}

interface Order {
  readonly record: ApprovalRecord;
  readonly place: { readonly channel: string; readonly ts: string };
  readonly userId: string;
  readonly kind: 'approve' | 'discard';
  readonly edit?: DraftEdit;
}

async function decide(
  { record, place, userId, kind, edit }: Order,
  tools: SlackApprovalTools,
): Promise<void> {
  const { slack, log, journal, clock } = tools;
  const { effectKey, contentHash } = record;
  const found = await findEffect(effectKey, tools);
  if (found.kind !== 'found') {
    note(log, await slack.tell(place.channel, userId, WORDS.unknown));
    return;
  }
  const entry = found.value;
  const outcome =
    kind === 'discard'
      ? await discardEffect(entry, tools)
      : await approveEffect(entry, tools, { contentHash, edit });
  const sentence = describeDecision(outcome, Object.keys(edit ?? {}));
  const { to = record.to, subject = record.subject } = edit ?? {};
  const draft = { to, subject };
  const isOurs = outcome.kind !== 'not_held';
  if (isOurs) {
    const who = `Slack member ${userId}`;
    journal.note({
      meetingId: entry.meetingId,
      note: { kind: 'operated', atMs: clock(), who, what: `${kind}: ${sentence}` },
    });
    log.info({ effectKey, user: userId, action: kind }, 'answered in Slack');
  }
  note(log, await slack.showAnswer(place, draft, sentence, isOurs ? userId : undefined));
  if (isOurs) await showDecision({ effectKey, sentence, shownAt: place, userId }, tools);
}

function note(log: Log, failure: string | undefined): void {
  if (failure !== undefined) log.warn({ error: failure }, 'Slack did not take the answer to a click');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
