import type { ModalView } from '@slack/web-api';

import { type ApprovalRequest, describeRequest } from '../../engine/approval-rules.ts';
import { cutText } from '../../report/clean-text.ts';
import { escapeToLength, headerBlock, plainText } from './blocks.ts';
import { type RichTextLeaf, type SlackBlock, slackLimits, type SlackMessage } from './message.ts';
import { joinLeaves, textLeaf } from './rich-text.ts';

/** The names of the buttons and of the form, by which an answer is known. */
export const approvalNames = {
  approve: 'aftermeet_approve',
  edit: 'aftermeet_edit',
  discard: 'aftermeet_discard',
  form: 'aftermeet_edit_form',
} as const;

const MAX_TEXT = 2500;

/** The longest mail address. */
const MAX_FIELD = 254;

/** A mail that waits, with buttons that approve it, change and approve it, or discard it. */
export function renderApprovalRequest(request: ApprovalRequest): SlackMessage {
  const { id, recipe, to, subject } = request;
  const { headline, until } = describeRequest(request);
  const text = request.text.trim() || 'It has no text.';
  const isCut = text.length > MAX_TEXT;
  const facts = `Recipe ${recipe} · until ${until}${isCut ? ' · the whole mail is in the console' : ''}`;
  const shown = isCut ? cutText(text, MAX_TEXT) : text;
  return {
    text: escapeToLength(`${headline}\nTo ${to}\nSubject: ${subject}\n\n${shown}`, slackLimits.fallback),
    blocks: [],
    ownBlocks: [
      headerBlock(headline),
      section(
        textLeaf('To ', { bold: true }),
        textLeaf(`${to}\n`),
        textLeaf('Subject ', { bold: true }),
        textLeaf(subject),
      ),
      { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [textLeaf(shown)] }] },
      { type: 'context', elements: [plainText(cutText(facts, 300))] },
      {
        type: 'actions',
        elements: [
          { ...button(approvalNames.approve, 'Approve', id), style: 'primary' },
          button(approvalNames.edit, 'Edit and approve', id),
          { ...button(approvalNames.discard, 'Discard', id), style: 'danger', confirm: confirmDiscard },
        ],
      },
    ],
  };
}

const confirmDiscard = {
  title: plainText('Discard this mail?'),
  text: plainText('It is never sent.'),
  confirm: plainText('Discard'),
  deny: plainText('Keep'),
};

function button(name: string, label: string, value: string) {
  return { type: 'button', action_id: name, text: plainText(label), value } as const;
}

function section(...elements: RichTextLeaf[]): SlackBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: joinLeaves(elements) }] };
}

/** What takes the place of a request that was answered: what it was about, what became of it, and by whom. */
export function renderAnswered(
  { to, subject }: { readonly to: string; readonly subject: string },
  sentence: string,
  userId?: string,
): { readonly text: string; readonly blocks: readonly SlackBlock[] } {
  const about = `${subject}, to ${to}`;
  const by: readonly RichTextLeaf[] =
    userId === undefined ? [] : [textLeaf(' By '), { type: 'user', user_id: userId }, textLeaf('.')];
  return {
    text: escapeToLength(`${about}: ${sentence}`, 3000),
    blocks: [section(textLeaf(`${about}\n`, { bold: true }), textLeaf(sentence), ...by)],
  };
}

/** The form of recipient and subject, as `views.open` takes it. */
export function renderEditForm(
  { to, subject }: { readonly to: string; readonly subject: string },
  metadata: string,
): ModalView {
  return {
    type: 'modal',
    callback_id: approvalNames.form,
    private_metadata: metadata,
    title: plainText('Edit and approve'),
    submit: plainText('Approve'),
    close: plainText('Cancel'),
    blocks: [field('to', 'Recipient', to), field('subject', 'Subject', subject)],
  };
}

function field(name: string, label: string, value: string) {
  return {
    type: 'input' as const,
    block_id: name,
    label: plainText(label),
    element: {
      type: 'plain_text_input' as const,
      action_id: name,
      initial_value: cutText(value, MAX_FIELD),
      max_length: MAX_FIELD,
    },
  };
}
