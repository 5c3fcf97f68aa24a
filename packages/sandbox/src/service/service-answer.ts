/** A file that an answer carries. */
export interface AnswerFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Without folders; the name under which it is to be saved. */
  readonly filename: string;
}

/** An answer of the service: JSON, plain text (as observed in places) or a file. */
export type ServiceAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly file: AnswerFile };

export function answerJson(status: number, json: unknown): ServiceAnswer {
  return { status, json };
}

export function answerText(status: number, text: string): ServiceAnswer {
  return { status, text };
}

export function answerFile(file: AnswerFile): ServiceAnswer {
  return { status: 200, file };
}

/** The observed error body; `field` names the input that is wrong. */
export function answerError(status: number, code: string, message: string, field?: string): ServiceAnswer {
  return { status, json: { code, message, ...(field === undefined ? {} : { field }) } };
}

export const unknownMeeting = 'No meeting has this meeting_id.';

/** For an id that no meeting has. */
export function answerUnknownMeeting(): ServiceAnswer {
  return answerError(404, 'MEETING_NOT_FOUND', unknownMeeting, 'meeting_id');
}
