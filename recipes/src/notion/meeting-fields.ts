import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { FieldValues } from './notion-fields.ts';
import { notionLimits } from './notion-page.ts';
import { isTakenUrl } from './rich-text.ts';

/** The facts of a meeting for the properties of its page; those that are not known are left out. */
export function listMeetingFields(
  digest: Digest,
  {
    link,
    initialStatus,
  }: { readonly link?: string | undefined; readonly initialStatus?: string | undefined },
): FieldValues {
  const { durationSeconds, source, people, tags, templates, meetingId } = digest;
  const summary = plainText(digest.summary);
  return {
    ...readDate(digest),
    // Minutes, as people count them.
    ...(durationSeconds === undefined || durationSeconds < 0
      ? {}
      : { duration: { kind: 'number', number: Math.round(durationSeconds / 60) } }),
    ...(source === undefined ? {} : { source: { kind: 'text', text: source } }),
    ...(people.length === 0 ? {} : { participants: { kind: 'names', names: people } }),
    ...(tags.length === 0 ? {} : { tags: { kind: 'names', names: tags } }),
    ...(templates[0] === undefined ? {} : { template: { kind: 'text', text: templates[0].name } }),
    ...(summary === '' ? {} : { summary: { kind: 'text', text: cutText(summary, notionLimits.text) } }),
    meetingId: { kind: 'text', text: meetingId },
    ...(link === undefined || !isTakenUrl(link) ? {} : { reportUrl: { kind: 'url', url: link } }),
    ...(initialStatus === undefined ? {} : { status: { kind: 'text', text: initialStatus } }),
  };
}

function readDate({ startedAt = '', durationSeconds = 0 }: Digest): FieldValues {
  const startMs = Date.parse(startedAt);
  if (Number.isNaN(startMs)) return {};
  const end = new Date(startMs + Math.round(durationSeconds) * 1000);
  const hasEnd = durationSeconds > 0 && !Number.isNaN(end.getTime());
  const start = new Date(startMs).toISOString();
  return { date: { kind: 'date', start, ...(hasEnd ? { end: end.toISOString() } : {}), words: start } };
}
