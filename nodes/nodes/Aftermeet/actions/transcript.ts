import type { Report } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { findReport } from './ask-report.ts';
import { meetingLocator, whenNotReadyParameter } from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';
import { describeOutput, type OutputField, readOutput } from './output.ts';

/** What one person said, with the meeting in which it was. */
interface FoundTurn {
  readonly meetingId: string;
  readonly turn: Report['transcript'][number];
}

const turnFields: readonly OutputField<FoundTurn>[] = [
  { name: 'meeting_id', read: ({ meetingId }) => meetingId },
  { name: 'speaker', read: ({ turn }) => turn.speaker },
  { name: 'text', read: ({ turn }) => turn.text },
  { name: 'start_seconds', read: ({ turn }) => turn.startSeconds },
  { name: 'end_seconds', read: ({ turn }) => turn.endSeconds },
];

const getDescription: OperationDescription = {
  value: 'get',
  name: 'Get',
  action: 'Get transcript',
  description:
    'Read what was said in one meeting, an item for each turn of a speaker, in the order of the meeting; it can be long',
  sends: 'reports.get',
  parameters: { meetingId: 'meetingId' },
  properties: [meetingLocator, ...describeOutput(turnFields, { hasRaw: false }), whenNotReadyParameter],
};

export const transcriptResource: NodeResource = {
  value: 'transcript',
  name: 'Transcript',
  usual: 'get',
  operations: [{ description: getDescription, execute: executeGet }],
};

async function executeGet(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const output = readOutput(context, itemIndex, turnFields);
  const found = await findReport(context, itemIndex, getDescription);
  if (!found.ready) return [found.item];
  const { meetingId, transcript } = found.report;
  return transcript.map((turn) => output.pick({ meetingId, turn }));
}
