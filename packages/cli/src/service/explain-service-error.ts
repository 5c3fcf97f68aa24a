import type { ServiceError, ServiceErrorCode } from '@aftermeet/client';
import { formatProblem, type Problem } from '@aftermeet/contract';

import {
  EXIT_FAILED,
  EXIT_KEY_REFUSED,
  EXIT_NOT_READY,
  EXIT_WRONG_USE,
  type FailureFacts,
} from '../errors.ts';
import { formatDuration } from '../terminal/format.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';
import { idAdvice, nameOption, operationCommands } from './operations.ts';

/** Where something else than the API answers. */
const CHECK_ADDRESS =
  'Is the address of the service right (SERVICE_BASE_URL; aftermeet whoami shows it)? A web page, a proxy or a login may answer there.';
const CHECK_MCP_ADDRESS =
  'Is SERVICE_MCP_URL, or SERVICE_BASE_URL where that is not set, the address of the MCP endpoint, without /mcp at its end?';

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
  ambiguous: { message: 'The request may have taken effect or not' },
  redirected: {
    message: 'The service answered with a redirect; the key is not sent to another address',
    advice: 'Set SERVICE_BASE_URL to its real address: https instead of http, or another host.',
  },
  bad_request: { message: 'The service refused the request' },
  unauthorized: {
    message: 'The service does not accept the API key',
    advice: 'Check SERVICE_API_KEY: a key that was regenerated makes the old one invalid at once.',
  },
  payment_required: {
    message: 'Payment required',
    advice: 'The minutes of the plan may be used up: check the plan in the settings of the workspace.',
  },
  forbidden: {
    message: 'The plan of the workspace does not include this',
    advice: 'The API needs a paid plan (Lite, Pro or Business).',
  },
  not_found: { message: 'The service found nothing' },
  not_ready: { message: 'The report is not ready' },
  conflict: { message: 'There is a conflict' },
  rate_limited: { message: 'Too many requests', advice: 'Try again later.' },
  server: { message: 'The service failed', advice: 'Try again later.' },
  unexpected_status: { message: 'The service gave an unexpected answer' },
  unreadable: {
    message: "The service's answer can't be read",
    advice: CHECK_ADDRESS,
  },
  file_system: {
    message: 'This machine could not read or write a file',
    advice: 'Check free disk space and the permissions of the file and its folder.',
  },
};

/** Advice about tools, or arguments, that do not exist. */
const LIST_TOOLS = 'aftermeet mcp tools lists the tools, with --json also their arguments.';

/** How servers say that they have no such route. */
const noRoute = /\b(?:route|endpoint|operation)\b|\bcannot (?:get|post|put|delete)\b/i;

/** Advice about a write that may have taken effect; `command` is the command line that shows whether it did. */
export function adviseCheck(command?: string): string {
  return command === undefined
    ? 'It may have taken effect: check before you repeat it.'
    : `Before you repeat it, check whether it took effect:\n  ${command}`;
}

/** What only the caller knows. */
export interface ErrorContext {
  /** The command line that shows whether an ambiguous write took effect. */
  readonly checkCommand?: string | undefined;
  /** The meeting that the command is about. */
  readonly meetingId?: string | undefined;
}

/** A temporary fault in half a sentence, with the status or the system's code. */
export function describeFault({ code, status, systemCode, detail }: ServiceError): string {
  const word = status === undefined ? cleanLine(systemCode ?? detail ?? '') : String(status);
  return `${explanations[code].message}${word === '' ? '' : ` (${word})`}`;
}

/** What went wrong and what to do next, for people. */
export function explainServiceError(
  error: ServiceError,
  { checkCommand, meetingId }: ErrorContext = {},
): FailureFacts {
  if (error.code === 'not_ready' || isNotReady(error)) return explainNotReady(error, meetingId);
  const { code, status, retryable } = error;
  // Without an answer the client itself refused it: a request that breaks a rule is not sent.
  const isRefusedHere = code === 'bad_request' && status === undefined;
  const explained = isRefusedHere ? { message: "This can't be done" } : findExplanation(error);
  const detail = describeDetail(error);
  const answered = status === undefined ? '' : ` (${status})`;
  const advice = advise(error, checkCommand, explained.advice);
  return {
    exitCode: isRefusedHere ? EXIT_WRONG_USE : chooseExitCode(error),
    code,
    message: endSentence(`${explained.message}${answered}${detail}`),
    ...(advice === undefined ? {} : { advice }),
    ...(status === undefined ? {} : { status }),
    operation: nameOperation(error),
    retryable,
  };
}

const OTHER_PORT = 'Give the service another port: fetch does not use this one.';

/** What lies between this machine and the service is told apart from the service. */
function findExplanation({ code, systemCode = '', unsent, retryable }: ServiceError): Explanation {
  if (code === 'timeout' && unsent) return { ...explanations.connection, message: 'No connection in time' };
  if (code !== 'connection') return explanations[code];
  if (systemCode.startsWith('PROXY_')) {
    return {
      message: 'The proxy does not let this through',
      advice: 'Check HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists the hosts that are called without it.',
    };
  }
  if (systemCode === 'BAD_PORT') return { ...explanations.connection, advice: OTHER_PORT };
  if (!unsent || retryable) return explanations.connection;
  return {
    message: "The service's certificate, or its TLS, is not accepted",
    advice: 'Is SERVICE_BASE_URL right? NODE_EXTRA_CA_CERTS=FILE adds a certificate authority of your own.',
  };
}

/** The time limit of a single request is a failure as any other. */
function chooseExitCode({ code, operation, status }: ServiceError): number {
  if (status === 401 || status === 403) return EXIT_KEY_REFUSED;
  return code === 'timeout' && operation === 'recordings.waitUntilReady' ? EXIT_NOT_READY : EXIT_FAILED;
}

/** A meeting without a report is a conflict (409) for what needs one. A file that is in the way has no status. */
function isNotReady({ code, status, operation, detail = '' }: ServiceError): boolean {
  if (code !== 'conflict' || status === undefined || !/^(?:exports|reports)\./.test(operation)) return false;
  return /\bnot (?:yet )?ready\b|\bno report yet\b/i.test(detail);
}

function explainNotReady(error: ServiceError, meetingId = '<meeting-id>'): FailureFacts {
  const code = 'not_ready';
  const { status, serviceStatus, retryable } = error;
  const word = serviceStatus === 'unknown' ? '' : cleanLine(serviceStatus ?? '');
  return {
    exitCode: EXIT_NOT_READY,
    code,
    message: endSentence(`${explanations[code].message}${word === '' ? '' : `: the service says ${word}`}`),
    advice: `Wait for it: aftermeet status ${pasteWord(meetingId)} --wait`,
    ...(status === undefined ? {} : { status }),
    operation: nameOperation(error),
    retryable,
  };
}

/** The operation in the JSON of a failure: `reports.get: GET /api/video/report`. */
function nameOperation({ operation, request }: ServiceError): string {
  return request === undefined ? operation : `${operation}: ${request}`;
}

function advise(
  error: ServiceError,
  checkCommand: string | undefined,
  fallback: string | undefined,
): string | undefined {
  const { code, status, operation, retryAfterMs } = error;
  if (checkCommand !== undefined) {
    const isStrange = status !== undefined && status < 300;
    return `${adviseCheck(checkCommand)}${isStrange ? `\n${CHECK_ADDRESS}` : ''}`;
  }
  const override = error.problems.find((problem) => problem.override !== undefined)?.override;
  if (override !== undefined)
    return `--${override.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} overrides this.`;
  if (code === 'not_found') return adviseNotFound(error);
  if (code === 'bad_request' && operation.startsWith('mcp.')) return LIST_TOOLS;
  if (code === 'conflict' && status === undefined && operation.startsWith('exports.')) {
    return '--overwrite replaces the file, --output names another one.';
  }
  if (code === 'unreadable' && operation.startsWith('mcp.')) return CHECK_MCP_ADDRESS;
  if (retryAfterMs === undefined) return fallback;
  return `The service asks to wait ${formatDuration(retryAfterMs / 1000)}.`;
}

/** A command understands more forms of a time than the service, and has options in place of those of a call. */
function inWordsOfCommand(problem: Problem): Problem {
  const { expected, ...rest } = problem;
  const isTime = nameOption(problem.path) === '--at' && expected?.startsWith('an ISO 8601') === true;
  const isUnplaced = isTime && !expected.includes(': add ');
  const said = isUnplaced ? TIME_FORMS : expected;
  return { ...rest, ...(said === undefined ? {} : { expected: said }), override: undefined };
}

const TIME_FORMS = 'a time such as "tomorrow 12:00", "2026-12-01 10:00" or 2026-12-01T10:00:00+03:00';

/** The broken rules, one a line if there are several, or the service's words. */
function describeDetail(error: ServiceError): string {
  const { problems, detail, checkWith, resumesAtCompletion } = error;
  const isAmbiguous = error.code === 'ambiguous';
  const lines = problems.map((problem) =>
    cleanLine(formatProblem(inWordsOfCommand(problem), nameOption(problem.path))),
  );
  if (lines.length > 1) return `:\n  ${lines.join('\n  ')}`;
  const clauses = [
    lines[0] ?? cleanLine(detail ?? ''),
    error.mayHaveTakenEffect && !isAmbiguous ? 'it may have taken effect' : '',
    checkWith === undefined || isAmbiguous
      ? ''
      : `an earlier attempt may have done it: check with aftermeet ${operationCommands[checkWith]}`,
    resumesAtCompletion
      ? 'everything was sent: the next run only asks for the completion, --force sends everything again'
      : '',
  ].filter((clause) => clause !== '');
  return clauses.length === 0 ? '' : `: ${clauses.join('; ')}`;
}

function endSentence(text: string): string {
  return /[.!?]$|\n/.test(text) ? text : `${text}.`;
}

/** Advice for a 404: where to find the right ids, or that the address is wrong. */
function adviseNotFound({ operation: id, detail, status }: ServiceError): string {
  if (id.startsWith('mcp.')) {
    return status === undefined
      ? LIST_TOOLS
      : 'Check SERVICE_MCP_URL, or SERVICE_BASE_URL if that is not set: there is no MCP endpoint at /mcp.';
  }
  const advice = Object.entries(idAdvice).find(([operation]) => operation === id)?.[1];
  if (advice === undefined || noRoute.test(detail ?? '')) {
    return 'Check SERVICE_BASE_URL: the service may be at another address.';
  }
  return detail === undefined ? `${advice} If the ids are right, check SERVICE_BASE_URL.` : advice;
}
