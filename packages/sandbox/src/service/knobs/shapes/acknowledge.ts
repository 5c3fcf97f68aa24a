import type { OperationId } from '@aftermeet/contract';

import { answerEmpty, answerJson, answerText, type ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject } from './json-value.ts';

/** Their answers say only that it is done. */
const acknowledged: ReadonlySet<OperationId> = new Set<OperationId>([
  'recordings.stop',
  'recordings.cancel',
  'reports.editBlock',
  'tags.attach',
  'tags.detach',
]);

/** The answer to what was done and has no outcome, a chunk of a file but the last among it. */
export function acknowledge(
  operation: OperationId | undefined,
  answer: ServiceAnswer,
  shape: Knobs['acknowledgement'],
): ServiceAnswer {
  if (shape === 'observed' || !isAcknowledgement(operation, answer)) return answer;
  if (shape === 'empty') return answerEmpty(204);
  return shape === 'json' ? answerJson(200, { success: true }) : answerText(200, 'OK');
}

function isAcknowledgement(operation: OperationId | undefined, answer: ServiceAnswer): boolean {
  if (operation === undefined || answer.status >= 300) return false;
  if (acknowledged.has(operation)) return true;
  const namesMeeting = 'json' in answer && isObject(answer.json) && 'meeting_id' in answer.json;
  return operation === 'uploads.chunk' && !namesMeeting;
}
