// Verifies and answers.
import { listen } from './listen.mjs';
import { answer, createVerifiedServer } from './verified-server.mjs';

export async function start() {
  return {
    port: await listen(
      createVerifiedServer((_event, _request, response) => answer(response, 200, '{"ok":true}')),
    ),
  };
}
