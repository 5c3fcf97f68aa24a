import { randomUUID } from 'node:crypto';

import { listHidden } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { findCancelSignal } from '../../transport/pause-for.ts';
import { readCredential } from '../../transport/read-credential.ts';
import { repeatAttempt } from '../../transport/repeat-attempt.ts';
import { sendForm } from '../../transport/send-form.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import type { OperationDescription } from '../node-operation.ts';
import { placeInTime } from '../place-in-time.ts';
import { readFields } from '../read-fields.ts';
import type { UploadWorld } from './chunk-sender.ts';
import { nameFile } from './name-file.ts';
import { nameUuid } from './name-uuid.ts';
import { findRecording, type Recording } from './open-recording.ts';
import { sendRecording } from './send-recording.ts';
import { doingUpload } from './upload-fault.ts';
import { uploadProperties } from './upload-properties.ts';

export const description: OperationDescription = {
  value: 'upload',
  name: 'Upload',
  action: 'Upload a recording',
  description: 'Upload an audio or video file of up to 3 GB and make a meeting of it',
  sends: 'uploads.chunk',
  parameters: {
    filename: 'options.fileName',
    template_name: 'templateName',
    title: 'options.title',
    webhook_url: 'options.webhookUrl',
    webhook_secret: 'options.webhookSecret',
    localTime: 'options.localTime',
    speakers_number: 'options.speakersNumber',
  },
  filled: {
    id: 'the stored file, the node and the workflow',
    chunk_total: 'the size of the file',
    chunk_number: 'counted from 0',
    upload_session_id: 'random for every attempt',
    filename: 'the name of the file, where none is given',
    expected_file_size: 'the size of the file',
    expected_sha256: 'the content, in the final request',
    file: 'binaryPropertyName',
  },
  properties: uploadProperties,
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const recording = await findRecording(context, itemIndex, 'binaryPropertyName');
  const { localTime, filename, ...details } = readFields(context, itemIndex, description);
  const fields = {
    ...details,
    filename: nameFile(filename ?? recording.filename),
    ...(localTime === undefined ? {} : { localTime: placeInTime(localTime, context.getTimezone()) }),
    id: nameRecording(context, recording),
    upload_session_id: randomUUID(),
  };
  const world = await openWorld(context, fields);
  const { meeting, duplicate, sha256, sent } = await sendRecording(world, recording, fields);
  const { meetingId, userId } = meeting;
  return [
    {
      json: {
        meeting_id: meetingId,
        ...(userId === undefined ? {} : { user_id: userId }),
        duplicate,
        sha256,
        bytes: recording.size,
        chunks: sent,
      },
    },
  ];
}

/**
 * The id of a recording stays the same when its upload is tried again (service-observed.md). n8n tries again in the same execution
 * (Retry On Fail) or in a new one (Retry), and both hand the node the file that is stored already: so the id is made of that
 * file's own. A file in memory has none, and is known by its content. Workflow and node are part of it, so that another node that
 * uploads the same file does not replace the session of this one.
 */
function nameRecording(context: IExecuteFunctions, { identity }: Recording): string {
  return nameUuid([context.getWorkflow().id ?? '', context.getNode().id, identity]);
}

async function openWorld(
  context: IExecuteFunctions,
  fields: Readonly<Record<string, unknown>>,
): Promise<UploadWorld> {
  const { baseUrl, apiKey } = await readCredential(context);
  const boundary = `aftermeet-${randomUUID()}`;
  const url = baseUrl + wireOperations['uploads.chunk'].path;
  return {
    post: (body, timeoutMs) => sendForm(context, { doing: doingUpload, url, boundary, body, timeoutMs }),
    boundary,
    chunkBytes: limits.uploadChunkBytes,
    repeat: (attempt) => repeatAttempt(context, attempt),
    clock: Date.now,
    signal: findCancelSignal(context),
    hidden: listHidden(apiKey, fields),
  };
}
