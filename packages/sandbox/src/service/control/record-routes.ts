import { operations } from '@aftermeet/contract';
import type { Router } from 'express';
import { z } from 'zod';

import { startRecording } from '../operations/start-recording.ts';
import { readOperationInput } from '../read-operation-input.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { readControlBody, sendDone, sendError } from './control-answers.ts';

/** Fields that were left empty are left out. */
const bodySchema = z
  .record(z.string(), z.unknown())
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));

const doneSchema = z.looseObject({ meeting_id: z.string() });
const refusalSchema = z.looseObject({ code: z.string(), message: z.string() });

/** `POST /_sandbox/meetings`: the operation that sends a bot, without a key; a link is made up where there is none. */
export function addRecordRoutes(router: Router, world: SandboxWorld): void {
  const madeUpLink = (): string => `https://meet.example/${world.makeId()}`;
  router.post('/meetings', (request, response) => {
    const fields = readControlBody(request, response, bodySchema);
    if (fields === undefined) return;
    const body = 'link' in fields ? fields : { ...fields, link: madeUpLink() };
    const wire = { path: {}, query: {}, body, form: {} };
    const reading = readOperationInput(operations.recordings.start, wire);
    const answer = reading.ok ? startRecording(world, reading.input) : reading.answer;
    const json = 'json' in answer ? answer.json : undefined;
    if (answer.status === 200) sendDone(request, response, doneSchema.parse(json));
    else sendError(response, answer.status, refusalSchema.parse(json));
  });
}
