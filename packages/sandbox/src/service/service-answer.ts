/** An answer of the service: JSON or, as observed in places, plain text. */
export type ServiceAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string };

export function answerJson(status: number, json: unknown): ServiceAnswer {
  return { status, json };
}

export function answerText(status: number, text: string): ServiceAnswer {
  return { status, text };
}

/** The observed error body; `field` names the input that is wrong. */
export function answerError(status: number, code: string, message: string, field?: string): ServiceAnswer {
  return { status, json: { code, message, ...(field === undefined ? {} : { field }) } };
}

/** For an id that no meeting has. */
export function answerUnknownMeeting(): ServiceAnswer {
  return answerError(404, 'MEETING_NOT_FOUND', 'No meeting has this meeting_id.', 'meeting_id');
}
