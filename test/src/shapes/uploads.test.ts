import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

let house: ShapeHouse;

beforeAll(async () => {
  house = await startShapeHouse();
});

afterEach(() => house.sandbox.knobs.reset());

afterAll(() => house.close());

const send = (content: string) =>
  house.client.uploads.send({ bytes: Buffer.from(content), filename: 'call.mp3' });

it.each(['json', 'text', 'empty'] as const)(
  'chunks are taken, acknowledged as %s',
  async (acknowledgement) => {
    house.sandbox.knobs.turn({ acknowledgement, extraFields: true });
    const { meetingId, duplicate, chunks } = await send(acknowledgement);
    expect({ duplicate, chunks }).toEqual({ duplicate: false, chunks: { total: 1, sent: 1, skipped: 0 } });
    expect((await house.client.recordings.status(meetingId)).phase).toBe('processing');
  },
);

it.each([
  ['flagged', true],
  ['conflict', true],
  ['unflagged', false],
] as const)(
  'a file that is there already is the same meeting, %s',
  async (duplicateUploadAnswer, duplicate) => {
    house.sandbox.knobs.turn({ duplicateUploadAnswer });
    const first = await send(duplicateUploadAnswer);
    expect(first.duplicate).toBe(false);
    house.sandbox.knobs.turn({ errorShape: 'nested', extraFields: true });
    expect(await send(duplicateUploadAnswer)).toMatchObject({ meetingId: first.meetingId, duplicate });
  },
);

it('a conflict that does not name the meeting is a conflict', async () => {
  house.sandbox.knobs.turn({ duplicateUploadAnswer: 'conflict', errorShape: 'text' });
  await send('once');
  await expect(send('once')).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('This file was uploaded before') as string,
  });
});
