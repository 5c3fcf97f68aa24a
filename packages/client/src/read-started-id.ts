import { asFields } from './report/loose.ts';
import { asId } from './report/read-id.ts';

/** Letters and digits, both among them: no word and no date is taken for an id. */
const bareIdPattern = /^"?((?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,128})"?$/i;

/** The id of a meeting from the answer to its start. Where it stands is not shown: it may be all there is. */
export function readStartedId(body: unknown): string | undefined {
  if (typeof body === 'string') return bareIdPattern.exec(body.trim())?.[1];
  const outer = asFields(body) ?? {};
  const places = [outer, ...['data', 'meeting', 'result'].map((name) => asFields(outer[name]) ?? {})];
  const ids = ['meeting_id', 'meetingId', 'id'].flatMap((name) => places.map((place) => asId(place[name])));
  return ids.find((id) => id !== undefined);
}
