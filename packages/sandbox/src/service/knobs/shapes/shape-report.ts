import { answerJson, type ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { isObject, mapField } from './json-value.ts';
import { areReportPartsAsObserved, shapeReportParts, type ReportPartKnobs } from './shape-report-parts.ts';

type ReportKnobs = Pick<Knobs, 'reportShape' | 'notReadyAnswer' | 'workspaceMetadata'> & ReportPartKnobs;

/** The answer to a question for a report: `{followup_v2, …}`, or a sentence with 202. */
export function shapeReport(answer: ServiceAnswer, knobs: ReportKnobs): ServiceAnswer {
  if ('text' in answer) return shapeNotReady(answer, knobs.notReadyAnswer);
  const { reportShape, workspaceMetadata } = knobs;
  const isAsItIs = reportShape === 'followup_v2' && workspaceMetadata === null;
  if (isAsItIs && areReportPartsAsObserved(knobs)) return answer;
  if (answer.status !== 200 || !('json' in answer) || !isObject(answer.json)) return answer;
  const { followup_v2: report, ...rest } = answer.json;
  if (!isObject(report)) return answer;
  const around = { ...rest, ...(workspaceMetadata !== null && { workspace: workspaceMetadata }) };
  const shaped = shapeReportParts(report, knobs);
  const json = reportShape === 'bare' ? { ...shaped, ...around } : { [reportShape]: shaped, ...around };
  return { ...answer, json };
}

/** The answer to a generation: `{followup, created_template_id}`, as the specification shows it. */
export function shapeGeneration(answer: ServiceAnswer, knobs: ReportPartKnobs): ServiceAnswer {
  if (areReportPartsAsObserved(knobs) || answer.status !== 200 || !('json' in answer)) return answer;
  return { ...answer, json: mapField(answer.json, 'followup', (report) => shapeReportParts(report, knobs)) };
}

function shapeNotReady(
  answer: ServiceAnswer & { readonly text: string },
  shape: Knobs['notReadyAnswer'],
): ServiceAnswer {
  if (shape === 'text' || answer.status !== 202) return answer;
  const status = /status: (.+)$/.exec(answer.text)?.[1] ?? 'processing';
  return answerJson(answer.status, { status, message: answer.text });
}
