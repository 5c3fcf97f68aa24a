import { acceptFormat, listHidden, ServiceError } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openFile } from '../../transport/open-file.ts';
import { readCredential } from '../../transport/read-credential.ts';
import { repeatAttempt } from '../../transport/repeat-attempt.ts';
import { describeOperation } from '../../transport/send-operation.ts';
import { buildWireRequest } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';
import { formats } from './check-head.ts';
import { downloadProperties } from './download-properties.ts';
import { storeFile } from './store-file.ts';

const operation = wireOperations['exports.download'];
const doing = describeOperation(operation);

export const description: OperationDescription = {
  value: 'download',
  name: 'Download',
  action: 'Download a report as a file',
  description: 'Download the report of a meeting as PDF, DOCX or Markdown',
  sends: 'exports.download',
  parameters: {
    meeting_id: 'meetingId',
    format: 'format',
    include_report: 'options.includeReport',
    include_tasks: 'options.includeTasks',
    template_name: 'templateName',
    timezone: 'options.timezone',
  },
  properties: downloadProperties,
};

/** A transfer that broke off begins anew: the service is not asked for parts of a file. */
export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const property = readProperty(context, itemIndex);
  const fields = readFields(context, itemIndex, description);
  const request = buildWireRequest(operation, fields);
  const meetingId = String(fields['meeting_id']);
  const format = formats.find((one) => one === fields['format']);
  if (!request.ok || format === undefined) {
    throw refuse(request.ok ? 'format is missing' : request.problems.join('; '));
  }
  const { baseUrl, apiKey } = await readCredential(context);
  const file = {
    doing,
    url: baseUrl + request.path,
    accept: acceptFormat(format),
    hidden: listHidden(apiKey, fields),
  };
  const { binary, filename, mimeType, bytes } = await repeatAttempt(context, async () =>
    storeFile(context, await openFile(context, file), { doing, meetingId, format }),
  );
  const json = { meeting_id: meetingId, format, file_name: filename, bytes, mime_type: mimeType };
  return [{ json, binary: { [property]: binary } }];
}

function readProperty(context: IExecuteFunctions, itemIndex: number): string {
  const property = readParameter(context, itemIndex, 'binaryPropertyName');
  if (typeof property !== 'string' || property === '') {
    throw refuse('the name of the field for the file is missing');
  }
  // Every object has these already, and n8n would take them for files.
  if (property in {}) throw refuse(`the field for the file cannot have the name ${property}`);
  return property;
}

function refuse(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing, detail, unsent: true });
}
