// Our client as anybody uses it, with a note after every chunk.
import { createClient } from '../../../../packages/client/dist/index.js';

export async function prepare({ baseUrl, path, workplace }, parallel = 1) {
  const client = createClient({ baseUrl, apiKey: 'key_of_the_bench' });
  return async () => {
    const options = { stateFolder: workplace, force: true, parallel };
    const { meetingId } = await client.uploads.send(
      { path },
      { title: 'Bench' },
      { ...options, anyType: true },
    );
    if (meetingId !== 'm_bench') throw new Error('the upload came to nothing');
  };
}
