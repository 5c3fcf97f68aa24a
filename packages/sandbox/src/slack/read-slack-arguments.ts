import { z } from 'zod';

/** An argument that the SDK sends as JSON text inside a form, and others as plain JSON. */
function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON: the text itself goes on, and the schema refuses it with Slack's own error.
    return value;
  }
}

const text = z.coerce.string().optional();

/** Slack reads `true`, `"true"` and `1` alike. */
const flag = z.preprocess((value) => ['true', '1'].includes(String(value)), z.boolean());

export const postMessageArguments = z.object({
  channel: text,
  text,
  thread_ts: text,
  blocks: z.preprocess(readJsonText, z.unknown()),
  attachments: z.preprocess(readJsonText, z.unknown()),
  metadata: z.preprocess(readJsonText, z.unknown()),
});

export const historyArguments = z.object({
  channel: text,
  oldest: text,
  latest: text,
  inclusive: flag,
  include_all_metadata: flag,
  limit: z.coerce.number().int().min(1).max(999).catch(100),
  cursor: text,
});

export type PostMessageArguments = z.infer<typeof postMessageArguments>;
export type HistoryArguments = z.infer<typeof historyArguments>;
