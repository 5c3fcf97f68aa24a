import { asFields } from '@aftermeet/client/pure';
import type { INodeExecutionData } from 'n8n-workflow';

import { asItem } from './as-item.ts';

/** An item of what the service answered, with the meeting's id where every operation of this node has it, and what else is known. */
export function nameMeeting(
  meetingId: string,
  answered: unknown,
  known: Readonly<Record<string, unknown>> = {},
): INodeExecutionData {
  return asItem({ ...asFields(answered), meeting_id: meetingId, ...known });
}
