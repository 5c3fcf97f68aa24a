import { listOperations, type OperationId } from '@aftermeet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ServiceAnswer } from '../service-answer.ts';
import { knobsSchema, type Knobs } from './knobs.ts';
import { shapeAnswer } from './shape-answer.ts';
import { shapeRequest } from './shape-request.ts';

const first = knobsSchema.parse({});

/** Every knob that changes answers or requests, turned to something. */
const turned: Partial<Knobs> = {
  sources: ['gmeet'],
  requiredRecordingFields: ['title'],
  searchParameters: { authors: 'a', dateTo: 'b', page: 'c', perPage: 'd' },
  unknownFields: 'ignore',
  extraFields: true,
  stateWords: { new: 'x', processed: 'y' },
  startAnswer: 'nested',
  statusAnswer: 'map',
  notReadyAnswer: 'json',
  acknowledgement: 'json',
  duplicateUploadAnswer: 'conflict',
  searchShape: 'data',
  meetingFields: 'specified',
  tagListShape: 'items',
  tagAnswer: 'bare',
  templateListShape: 'bare',
  templateFields: 'more',
  errorShape: 'nested',
  errorCodes: { x: 'y' },
  reportShape: 'bare',
  reportTimes: 'clock',
  reportSpeakers: 'text',
  reportTasks: 'text',
  blockNames: { summary: 's' },
  workspaceMetadata: { name: 'n' },
  deprecation: { since: '2026-07-01T00:00:00Z', sunset: '2027-07-01T00:00:00Z' },
};

const names = fc.constantFrom(
  'followup_v2',
  'followup',
  'followups',
  'tags',
  'templates',
  'status',
  'message',
  'code',
  'transcript',
  'duration',
  'timestamp',
  'startSeconds',
  'speaker',
  'name',
  'text',
  'meeting_id',
  'duplicate',
  '__proto__',
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const status = fc.constantFrom(200, 201, 202, 204, 400, 404, 409, 429, 500);
const answers: fc.Arbitrary<ServiceAnswer> = fc.oneof(
  fc.record({ status, json }),
  fc.record({ status, text: fc.string() }),
  fc.record({ status, empty: fc.constant(true as const) }),
  fc.constant({ status: 200, file: { bytes: new Uint8Array(1), contentType: 'text/plain', filename: 'a' } }),
);
const operations = fc.constantFrom<OperationId | undefined>(
  ...listOperations().map(({ id }) => id as OperationId),
  undefined,
);
const someTurned = fc
  .subarray(Object.entries(turned))
  .map((entries): Knobs => ({ ...first, ...Object.fromEntries(entries) }));

describe('the shape of an answer', () => {
  it('is what it was, while no knob is turned', () => {
    fc.assert(
      fc.property(operations, answers, (operation, answer) => {
        expect(shapeAnswer(operation, answer, first, 'm')).toBe(answer);
      }),
      { numRuns: 300 },
    );
  });

  it('is JSON, text, a file or nothing, whatever the answer and the knobs are', () => {
    fc.assert(
      fc.property(operations, answers, someTurned, (operation, answer, knobs) => {
        const shaped = shapeAnswer(operation, answer, knobs, 'm');
        expect(shaped.status === answer.status || [200, 204, 409].includes(shaped.status)).toBe(true);
        expect(['json', 'text', 'file', 'empty'].filter((kind) => kind in shaped)).toHaveLength(1);
        if ('json' in shaped) expect(typeof JSON.stringify(shaped.json ?? null)).toBe('string');
      }),
      { numRuns: 300 },
    );
  });
});

describe('the shape of a request', () => {
  const wires = fc.record({ path: json, query: json, body: json, form: fc.constant(undefined) });
  const called = fc.constantFrom(...listOperations().map(({ id }) => id as OperationId));

  it('is what it was, while no knob is turned', () => {
    fc.assert(
      fc.property(called, wires, (operation, wire) => {
        expect(shapeRequest(operation, wire, first)).toEqual({ wire });
      }),
      { numRuns: 100 },
    );
  });

  it('is a request or a refusal, whatever came and the knobs are', () => {
    fc.assert(
      fc.property(called, wires, someTurned, (operation, wire, knobs) => {
        const shaped = shapeRequest(operation, wire, knobs);
        expect('wire' in shaped || shaped.answer.status === 400).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
