import type { OperationInput, operations } from '@aftermeet/contract';

import { describeReport } from '../describe-report.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import {
  answerError,
  answerJson,
  answerText,
  answerUnknownMeeting,
  type ServiceAnswer,
} from '../service-answer.ts';

type Input = OperationInput<typeof operations.reports.get>;

/** The report, or 202 and plain text until there is one. The first reading turns `new` into `processed`. */
export function getReport(world: SandboxWorld, input: Input): ServiceAnswer {
  const meeting = world.meetings.find(input.meeting_id);
  if (meeting === undefined) return answerUnknownMeeting();
  if (meeting.status === 'failed') {
    return answerError(
      404,
      'REPORT_NOT_FOUND',
      'Processing of this meeting failed: it has no report.',
      'meeting_id',
    );
  }
  if (meeting.status !== 'new' && meeting.status !== 'processed') {
    return answerText(202, `Meeting is in progress now, status: ${meeting.status}`);
  }
  const opened = { ...meeting, status: 'processed' } as const;
  world.meetings.put(opened);
  world.observe({ kind: 'report_served', meetingId: meeting.id });
  return answerJson(200, describeReport(opened));
}
