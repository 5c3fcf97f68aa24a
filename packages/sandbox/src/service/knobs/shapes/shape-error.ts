import { answerText, type ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject } from './json-value.ts';

/** An error, which is `{code, message, field}` and at times more. */
export function shapeError(
  answer: ServiceAnswer,
  { errorShape, errorCodes }: Pick<Knobs, 'errorShape' | 'errorCodes'>,
): ServiceAnswer {
  if (answer.status < 400 || !('json' in answer) || !isObject(answer.json)) return answer;
  const { code, message } = answer.json;
  const other = typeof code === 'string' && Object.hasOwn(errorCodes, code) ? errorCodes[code] : code;
  if (other === code && errorShape === 'json') return answer;
  const json = { ...answer.json, code: other };
  if (errorShape === 'text')
    return { ...answerText(answer.status, String(message)), headers: answer.headers };
  return { ...answer, json: errorShape === 'nested' ? { error: json } : json };
}
