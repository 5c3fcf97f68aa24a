import type { OperationInput, operations } from '@aftermeet/contract';

import { describeReport } from '../report/describe-report.ts';
import { findReport, openReport } from '../report/find-report.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerJson, type ServiceAnswer } from '../service-answer.ts';
import { listMeetingTags } from '../tags/list-meeting-tags.ts';

type Input = OperationInput<typeof operations.reports.get>;

/** The report, or 202 and plain text until there is one. The first reading turns `new` into `processed`. */
export function getReport(world: SandboxWorld, input: Input): ServiceAnswer {
  world.life.poll(input.meeting_id);
  const search = findReport(world, input.meeting_id);
  if (!search.ok) return search.answer;
  const opened = openReport(world, search.meeting);
  return answerJson(200, describeReport(opened, listMeetingTags(world, opened)));
}
