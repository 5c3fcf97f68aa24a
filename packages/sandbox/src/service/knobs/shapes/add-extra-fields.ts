import type { ServiceAnswer } from '../../service-answer.ts';
import { mapObjects } from './json-value.ts';

/** What a later version of the service might send. */
const extra = { sandbox_extra: { since: 'a later version', flags: ['new', null, 3], details: { text: '' } } };

/** The answer with a field that nobody knows in each of its objects. */
export function addExtraFields(answer: ServiceAnswer): ServiceAnswer {
  if (!('json' in answer)) return answer;
  return { ...answer, json: mapObjects(answer.json, (object) => ({ ...object, ...extra })) };
}
