import { answerError, type ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject } from '../shapes/json-value.ts';

/** The refusal of a recording that lacks a field, or whose platform the service does not know; undefined otherwise. */
export function checkRecording(
  body: unknown,
  { requiredRecordingFields, sources }: Pick<Knobs, 'requiredRecordingFields' | 'sources'>,
): ServiceAnswer | undefined {
  if (!isObject(body)) return undefined;
  const missing = requiredRecordingFields.find((name) => body[name] === undefined);
  if (missing !== undefined) {
    return answerError(400, 'INVALID_REQUEST', `${missing} is missing: the service requires it.`, missing);
  }
  const { source } = body;
  if (sources === 'any' || typeof source !== 'string' || sources.includes(source)) return undefined;
  return answerError(400, 'INVALID_REQUEST', `source must be one of ${sources.join(', ')}.`, 'source');
}
