import type { Request, Response, Router } from 'express';
import { z } from 'zod';

import { contentLanguages, findContentLanguage } from '../../content/languages.ts';
import { announceEvent } from '../life/announce-event.ts';
import { completeMeeting, failMeeting } from '../life/finish-meeting.ts';
import type { Sending } from '../life/send-event.ts';
import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { readControlBody, sendDone, sendUnknown } from './control-answers.ts';
import { formFlag } from './form-fields.ts';

const completionSchema = z.strictObject({
  is_transcript_empty: formFlag.optional(),
  language: z
    .string()
    .transform(findContentLanguage)
    .refine((language) => language !== undefined, {
      error: `must be one of ${contentLanguages.join(', ')}`,
    })
    .optional(),
});

const failureSchema = z.strictObject({
  reason: z
    .string()
    .regex(/^[^]{1,2000}$/, { error: 'must be text of 1 to 2000 characters' })
    .optional(),
});

const announcementSchema = z.strictObject({
  // It goes into a header.
  event: z.string().regex(/^[\x21-\x7e]{1,256}$/, {
    error: 'must be an event kind: 1 to 256 characters of visible ASCII',
  }),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** `/_sandbox/meetings`: what there is, and what ends them or tells of them. */
export function addMeetingRoutes(router: Router, world: SandboxWorld): void {
  router.get('/meetings', (_request, response) => {
    response.json({ meetings: world.meetings.list().map((meeting) => describeMeeting(world, meeting)) });
  });
  router.post('/meetings/:id/complete', (request, response) => {
    const body = readControlBody(request, response, completionSchema);
    if (body === undefined) return;
    const completion = { isTranscriptEmpty: body.is_transcript_empty, language: body.language };
    sendFinish(request, response, completeMeeting(world, request.params.id, completion));
  });
  router.post('/meetings/:id/fail', (request, response) => {
    const body = readControlBody(request, response, failureSchema);
    if (body !== undefined) sendFinish(request, response, failMeeting(world, request.params.id, body));
  });
  router.post('/meetings/:id/announce', (request, response) => {
    const body = readControlBody(request, response, announcementSchema);
    if (body !== undefined) sendFinish(request, response, announceEvent(world, request.params.id, body));
  });
}

function describeMeeting({ life }: SandboxWorld, meeting: Meeting): object {
  const nextChangeMs = life.nextChangeMs(meeting.id);
  return {
    meeting_id: meeting.id,
    title: meeting.title,
    status: meeting.status,
    source: meeting.source,
    local_date_time: meeting.localDateTime,
    ...(meeting.cron !== undefined && { cron: meeting.cron }),
    script: meeting.scriptId,
    ...(nextChangeMs !== undefined && { next_change_at: new Date(nextChangeMs).toISOString() }),
  };
}

function sendFinish(request: Request, response: Response, sending: Sending | undefined): void {
  if (sending === undefined) sendUnknown(response, 'No meeting has this id.');
  else {
    const { meetingId, status, deliveryId } = sending;
    sendDone(request, response, {
      meeting_id: meetingId,
      status,
      ...(deliveryId && { delivery_id: deliveryId }),
    });
  }
}
