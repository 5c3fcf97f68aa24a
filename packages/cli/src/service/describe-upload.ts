import type { UploadResult } from '@aftermeet/client';

import { pasteWord } from '../quote-word.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatBytes } from '../terminal/format-bytes.ts';

export interface UploadAsked {
  /** Whether somebody waits for the report anyway. */
  readonly isFollowed: boolean;
  readonly hasTitle: boolean;
}

/** What became of a file, for a person. */
export function describeUpload(
  { meetingId, duplicate, bytes, chunks }: Omit<UploadResult, 'raw'>,
  { isFollowed, hasTitle }: UploadAsked,
): string {
  const id = cleanLine(meetingId);
  const facts = duplicate
    ? `${describeDuplicate(chunks)}${hasTitle ? 'The title was not used: the meeting keeps the one it has.\n' : ''}`
    : `${describeWay(chunks)}Uploaded ${formatBytes(bytes)}.\n`;
  const next = isFollowed ? '' : `See how far it is: aftermeet status ${pasteWord(meetingId)} --wait\n`;
  return `${facts}Meeting ${id}\n${next}`;
}

function describeDuplicate({ sent }: UploadResult['chunks']): string {
  return sent === 0
    ? 'This content was uploaded before: nothing was sent. --force sends it again.\n'
    : 'The service had this content already: it made no new meeting.\n';
}

function describeWay({ total, skipped }: UploadResult['chunks']): string {
  return skipped === 0
    ? ''
    : `Went on where an earlier run stopped: ${skipped} of ${total} chunks were there.\n`;
}
