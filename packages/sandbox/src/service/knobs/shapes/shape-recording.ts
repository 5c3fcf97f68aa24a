import { answerJson, answerText, type ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject } from './json-value.ts';

/** The answer to a started recording. */
export function shapeStart(answer: ServiceAnswer, shape: Knobs['startAnswer']): ServiceAnswer {
  if (shape === 'json' || !('json' in answer) || !isObject(answer.json)) return answer;
  const { status, json } = answer;
  return shape === 'nested'
    ? answerJson(status, { data: json })
    : answerText(status, String(json['meeting_id']));
}

/** The answer of the status query, which is the bare word. `meetingId` is what was asked for. */
export function shapeStatus(
  answer: ServiceAnswer,
  shape: Knobs['statusAnswer'],
  meetingId: string,
): ServiceAnswer {
  if (shape === 'text' || !('text' in answer)) return answer;
  const { status, text } = answer;
  const bodies = {
    json: { status: text },
    nested: { data: { meeting_id: meetingId, status: text } },
    map: { [meetingId]: text },
  };
  return answerJson(status, bodies[shape]);
}
