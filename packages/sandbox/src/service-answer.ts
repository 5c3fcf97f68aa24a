import type { Response } from 'express';

import type { ServiceOptions } from './service-options.ts';

interface AnswerFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The name under which it is to be saved, without folders. */
  readonly filename: string;
}

/** An answer of the service: JSON, plain text (as observed in places), a file, or no body at all. */
export type ServiceAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
} & (
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly file: AnswerFile }
  | { readonly empty: true }
);

export function answerJson(status: number, json: unknown): ServiceAnswer {
  return { status, json };
}

export function answerText(status: number, text: string): ServiceAnswer {
  return { status, text };
}

/** The observed error body; `field` names the wrong input. */
export function answerError(status: number, code: string, message: string, field?: string): ServiceAnswer {
  return { status, json: { code, message, ...(field === undefined ? {} : { field }) } };
}

export const unknownMeetingMessage = 'No meeting has this meeting_id.';

export function answerUnknownMeeting(): ServiceAnswer {
  return answerError(404, 'MEETING_NOT_FOUND', unknownMeetingMessage, 'meeting_id');
}

/** The answer to a call that is done and has no outcome. `observed` is the one without the option. */
export function acknowledge(
  { acknowledgement }: Pick<ServiceOptions, 'acknowledgement'>,
  observed: ServiceAnswer,
): ServiceAnswer {
  switch (acknowledgement) {
    case 'observed':
      return observed;
    case 'json':
      return answerJson(200, { success: true });
    case 'text':
      return answerText(200, 'OK');
    case 'empty':
      return { status: 204, empty: true };
    default:
      return acknowledgement satisfies never;
  }
}

/** The word for the state of a meeting, wherever a state is shown. */
export function nameState(
  state: keyof ServiceOptions['stateWords'],
  { stateWords }: Pick<ServiceOptions, 'stateWords'>,
): string {
  return stateWords[state] ?? state;
}

/** Sends an answer. A file is an attachment with its name encoded for every client (RFC 6266). */
export function sendAnswer(response: Response, answer: ServiceAnswer, options: ServiceOptions): void {
  const shaped = shapeAnswer(answer, options);
  response.status(shaped.status);
  if (shaped.headers !== undefined) response.set(shaped.headers);
  if ('empty' in shaped) response.end();
  else if ('text' in shaped) response.type('text/plain').send(shaped.text);
  else if ('json' in shaped) response.json(shaped.json);
  else {
    const { bytes, contentType, filename } = shaped.file;
    response.attachment(filename).set('Content-Type', contentType).send(Buffer.from(bytes));
  }
}

/** Applies the options that concern every answer: the shape of errors, and extra fields. */
export function shapeAnswer(
  answer: ServiceAnswer,
  { errorShape, extraFields }: Pick<ServiceOptions, 'errorShape' | 'extraFields'>,
): ServiceAnswer {
  if (!('json' in answer)) return answer;
  const { status, headers, json } = answer;
  if (status >= 400 && errorShape === 'text') return { ...answerText(status, readMessage(json)), headers };
  const body = status >= 400 && errorShape === 'nested' ? { error: json } : json;
  return { status, headers, json: extraFields ? addExtraFields(body) : body };
}

function readMessage(json: unknown): string {
  return typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : '';
}

/** What a later version of the service might send. */
const extra = { sandbox_extra: { since: 'a later version', flags: ['new', null, 3], details: { text: '' } } };

/** Adds an unknown field to every object. */
function addExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addExtraFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, held]) => [name, addExtraFields(held)] as const);
  return { ...Object.fromEntries(fields), ...extra };
}
