/** A file that an answer carries. */
export interface AnswerFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Without folders; the name under which it is to be saved. */
  readonly filename: string;
}

interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer of the service: JSON, plain text (as observed in places), a file, or no body at all. */
export type ServiceAnswer = AnswerHead &
  (
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

export function answerFile(file: AnswerFile): ServiceAnswer {
  return { status: 200, file };
}

export function answerEmpty(status: number): ServiceAnswer {
  return { status, empty: true };
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
