import { AmbiguousWriteError, findSettlingCall, readStartedId } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeOperation, sendOperation } from '../../transport/send-operation.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';
import { planStart } from './plan-start.ts';
import { startProperties } from './start-properties.ts';

export const description: OperationDescription = {
  value: 'start',
  name: 'Start or Schedule',
  action: 'Start or schedule a recording',
  description: 'Send a bot to an online meeting, now, at a time, or again and again',
  sends: 'recordings.start',
  parameters: {
    link: 'link',
    source: 'options.source',
    title: 'title',
    local_date_time: 'localDateTime',
    cron: 'cron',
    template_name: 'templateName',
    participants: 'options.participants',
    webhook_url: 'options.webhookUrl',
    webhook_secret: 'options.webhookSecret',
  },
  properties: startProperties,
};

/** Never sent twice when nobody knows whether the first one took effect: two bots would come. */
export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const nowMs = Date.now();
  const when = readParameter(context, itemIndex, 'when');
  const timeZone = context.getTimezone();
  const fields = planStart(readFields(context, itemIndex, description), { when, timeZone, nowMs });
  const { status, body } = await sendOperation(context, 'recordings.start', fields);
  const meetingId = readStartedId(body);
  if (meetingId === undefined) {
    throw new AmbiguousWriteError({
      doing: describeOperation(wireOperations['recordings.start']),
      reason: 'the answer names no meeting',
      settleWith: findSettlingCall('recordings.start', fields, nowMs),
      status,
    });
  }
  return [nameMeeting(meetingId, body)];
}
