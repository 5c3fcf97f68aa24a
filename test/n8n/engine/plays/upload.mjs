import assert from 'node:assert/strict';

import { webhookSecret } from '../open-twins.mjs';
import { byId } from './locate.mjs';

const resource = 'upload';
const operation = 'upload';
const mebibyte = 1024 ** 2;
/** Two whole chunks and a bit. */
const bytes = Buffer.alloc(40 * mebibyte + 5, 'a recording ');

/** Both make their ids at random; within one upload they have to stay the same. */
function blur({ form, ...arrived }) {
  const parts = new Map(form);
  const ids = ['id', 'upload_session_id'].map((name) => parts.get(name));
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  return { ...arrived, form: form.map(([name, value]) => [name, ids.includes(value) ? 'a UUID' : value]) };
}

export const plays = ['memory', 'filesystem'].flatMap((mode) => [
  {
    name: `three chunks, the file in n8n's ${mode}`,
    resource,
    operation,
    binary: mode,
    blur,
    items: async (_facts, engine) => [
      {
        json: {},
        binary: {
          data: await engine.makeBinary(bytes, { fileName: 'Weekly sync.mp4', mimeType: 'video/mp4' }),
        },
      },
    ],
    call: (client) => client.uploads.send({ bytes, filename: 'Weekly sync.mp4' }, {}, { anyType: true }),
    check: ({ json: [one], answer, sandbox }) => {
      assert.equal(one.sha256, answer.sha256);
      assert.equal(one.meeting_id, answer.meetingId);
      assert.equal(one.bytes, bytes.length);
      assert.equal(one.duplicate, false);
      assert.equal(sandbox.uploads().length, 1);
    },
  },
  {
    name: `every field, from another field, the file in n8n's ${mode}`,
    resource,
    operation,
    binary: mode,
    blur,
    items: async (_facts, engine) => [
      {
        json: {},
        binary: { recording: await engine.makeBinary(Buffer.from('fLaC\0'), { fileName: 'a.bin' }) },
      },
    ],
    parameters: () => ({
      binaryPropertyName: 'recording',
      templateName: byId('team-sync'),
      options: {
        fileName: 'short.mp3',
        localTime: '2026-07-07T12:00:00+03:00',
        speakersNumber: 3,
        title: 'A title, "quoted"',
        webhookUrl: 'http://127.0.0.1:9/hook?a=1',
      },
    }),
    call: (client) =>
      client.uploads.send(
        { bytes: Buffer.from('fLaC\0'), filename: 'short.mp3' },
        {
          templateName: 'team-sync',
          title: 'A title, "quoted"',
          webhookUrl: 'http://127.0.0.1:9/hook?a=1',
          webhookSecret,
          localTime: '2026-07-07T12:00:00+03:00',
          speakersNumber: 3,
        },
      ),
  },
]);
