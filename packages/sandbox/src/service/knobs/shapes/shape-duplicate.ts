import type { ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject } from './json-value.ts';

/** The answer to a file that was uploaded before. */
export function shapeDuplicate(answer: ServiceAnswer, shape: Knobs['duplicateUploadAnswer']): ServiceAnswer {
  if (shape === 'flagged' || !('json' in answer) || !isObject(answer.json)) return answer;
  const { duplicate, ...meeting } = answer.json;
  if (duplicate !== true) return answer;
  if (shape === 'unflagged') return { ...answer, json: meeting };
  const message = 'This file was uploaded before: the meeting is there.';
  return { status: 409, json: { code: 'DUPLICATE_UPLOAD', message, ...meeting } };
}
