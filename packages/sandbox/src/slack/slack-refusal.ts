/** A refusal in Slack's own words: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export interface SlackRefusal {
  readonly error: string;
  /** What exactly is wrong, one line each, with a JSON pointer where there is one. */
  readonly details?: readonly string[];
  /** What else the answer says, such as the scope that is needed. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Of these Slack repeats the details in `errors`, without the `[ERROR]` before each line. */
const listsErrors: ReadonlySet<string> = new Set(['invalid_blocks', 'invalid_attachments']);

/** The body of the answer. */
export function describeRefusal({ error, details, facts }: SlackRefusal): object {
  return {
    ok: false,
    error,
    ...facts,
    ...(details !== undefined && listsErrors.has(error) ? { errors: details } : {}),
    ...(details === undefined
      ? {}
      : { response_metadata: { messages: details.map((detail) => `[ERROR] ${detail}`) } }),
  };
}
