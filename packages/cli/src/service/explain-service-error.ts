import type { ServiceError, ServiceErrorCode } from '@aftermeet/client';

import { EXIT_FAILED, EXIT_WRONG_USE } from '../exit-codes.ts';
import type { FailureFacts } from '../failure.ts';
import { pasteWord } from '../quote-word.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatDuration } from '../terminal/format-duration.ts';
import { adviseNotFound, LIST_TOOLS } from './advise-not-found.ts';
import { nameCommands } from './name-commands.ts';
import { nameOptions } from './option-names.ts';

interface Explanation {
  readonly message: string;
  readonly advice?: string;
}

const explanations: Readonly<Record<ServiceErrorCode, Explanation>> = {
  connection: {
    message: "The service can't be reached",
    advice:
      'Is SERVICE_BASE_URL right, and does the service run there? A sandbox answers while aftermeet sandbox runs.',
  },
  timeout: { message: 'This took too long', advice: 'Try again later.' },
  aborted: { message: 'Stopped' },
  ambiguous: { message: 'The service may have done it, or not' },
  redirected: {
    message: 'The service answered with a redirect, and the key is not sent to another place',
    advice: 'Set SERVICE_BASE_URL to the address it really has: https instead of http, or another host.',
  },
  bad_request: { message: 'The service refused the request' },
  unauthorized: {
    message: 'The service does not accept the API key',
    advice: 'Check SERVICE_API_KEY: a key that was regenerated makes the old one invalid at once.',
  },
  payment_required: {
    message: 'The service wants to be paid first',
    advice: 'The minutes of the plan may be used up: look at the plan in the settings of the workspace.',
  },
  forbidden: {
    message: 'The plan of the workspace does not include this',
    advice: 'The API needs a paid plan (Lite, Pro or Business).',
  },
  not_found: { message: 'The service found nothing' },
  not_ready: { message: 'The report is not ready' },
  conflict: { message: 'There is a conflict' },
  rate_limited: { message: 'The service has had too many requests', advice: 'Try again later.' },
  server: { message: 'The service failed', advice: 'Try again later.' },
  unexpected_status: { message: 'The service gave an answer that nobody expected' },
  unreadable: { message: "The service's answer can't be read" },
  file_system: {
    message: 'This machine could not read or write a file',
    advice: 'Is there room on the disk, and may the file and its folder be read and written?',
  },
};

/** What to do about a write that may have taken effect. */
export const LOOK_FIRST = 'It may have taken effect: look before you do it again.';

/** What only the caller knows. */
export interface ErrorContext {
  /** The command line that shows whether a write took effect, where the error leaves that open. */
  readonly settling?: string | undefined;
  /** The meeting that the command is about. */
  readonly meetingId?: string | undefined;
}

/** A fault that may pass, in half a sentence: what it is and the status or the system's word for it. */
export function nameFault({ code, status, detail }: ServiceError): string {
  const word = status === undefined ? cleanLine(detail ?? '') : String(status);
  return `${explanations[code].message}${word === '' ? '' : ` (${word})`}`;
}

/** Says to a person what went wrong and what to do next. */
export function explainServiceError(
  error: ServiceError,
  { settling, meetingId }: ErrorContext = {},
): FailureFacts {
  if (error.code === 'not_ready') return explainNotReady(error, meetingId);
  const { code, status, doing, retryable } = error;
  // No answer, so it is the client that refused it: what breaks a rule is not sent.
  const isRefusedHere = code === 'bad_request' && status === undefined;
  const explained = isRefusedHere ? { message: "This can't be done" } : explanations[code];
  const words = nameCommands(cleanLine(error.detail ?? ''));
  const detail = words === '' ? '' : isRefusedHere ? listProblems(words) : `: ${words}`;
  const answered = status === undefined ? '' : ` (${status})`;
  const advice = advise(error, settling, explained.advice);
  return {
    exitCode: isRefusedHere ? EXIT_WRONG_USE : EXIT_FAILED,
    code,
    message: endSentence(`${explained.message}${answered}${detail}`),
    ...(advice === undefined ? {} : { advice }),
    ...(status === undefined ? {} : { status }),
    doing,
    retryable,
  };
}

function explainNotReady(
  { code, status, doing, detail, retryable }: ServiceError,
  meetingId = '<meeting-id>',
): FailureFacts {
  const words = cleanLine(detail ?? '');
  const word = /status:\s*(\S+)/i.exec(words)?.[1] ?? words;
  return {
    exitCode: EXIT_FAILED,
    code,
    message: endSentence(`${explanations[code].message}${word === '' ? '' : `: the service says ${word}`}`),
    advice: `Wait for it: aftermeet status ${pasteWord(meetingId)} --wait`,
    ...(status === undefined ? {} : { status }),
    doing,
    retryable,
  };
}

function advise(
  error: ServiceError,
  settling: string | undefined,
  usual: string | undefined,
): string | undefined {
  const { code, status, doing, retryAfterMs } = error;
  if (settling !== undefined) return `Before you do it again, look whether it took effect:\n  ${settling}`;
  if (code === 'not_found') return adviseNotFound(error);
  if (code === 'bad_request' && doing.startsWith('mcp.')) return LIST_TOOLS;
  if (code === 'conflict' && status === undefined && doing.startsWith('exports.')) {
    return '--overwrite replaces the file, --output names another one.';
  }
  if (retryAfterMs === undefined) return usual;
  return `The service asks to be left alone for ${formatDuration(retryAfterMs / 1000)}.`;
}

/** One broken rule a line, where there are several. Their messages hold semicolons themselves: `; found …`. */
function listProblems(words: string): string {
  const problems = nameOptions(words).split(/; (?!found )/);
  return problems.length === 1 ? `: ${problems.join('')}` : `:\n  ${problems.join('\n  ')}`;
}

function endSentence(text: string): string {
  return /[.!?]$|\n/.test(text) ? text : `${text}.`;
}
