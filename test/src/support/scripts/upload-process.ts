import { createClient } from '@aftermeet/client';

// A process of its own that uploads one file: prints its progress as `sending BYTES`, then `done` and the result.

const [baseUrl = '', path = '', stateFolder = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey: 'key_for_tests_only' });
const result = await client.uploads.send(
  { path },
  { title: 'A long call' },
  { stateFolder, anyType: true, onProgress: ({ step, doneBytes }) => say(`${step} ${doneBytes}`) },
);
say(`done ${JSON.stringify(result)}`);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
