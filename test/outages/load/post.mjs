import { request } from 'node:http';

/** The service gives up on an answer after this. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Posts one delivery and says what came of it: `status`, `retryAfter` and what the answer `said`, or, where there was
 * none, `broken` with the error's code. Times are those of `performance.now()`.
 */
export function post(url, { agent, headers, body }) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const sending = request(url, { method: 'POST', agent, headers });
    let hasEnded = false;
    const finish = (outcome) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      resolve({ ...outcome, startedMs, endedMs: performance.now(), isReused: sending.reusedSocket });
    };
    const timer = setTimeout(() => {
      finish({ broken: 'no answer' });
      sending.destroy();
    }, GIVE_UP_AFTER_MS);
    sending.on('error', ({ code }) => finish({ broken: code ?? 'error' }));
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', () => finish({ broken: 'half an answer' }));
      response.on('end', () =>
        finish({
          status: response.statusCode,
          retryAfter: response.headers['retry-after'],
          said: /"status":"(\w+)"/.exec(text)?.[1],
        }),
      );
    });
    sending.end(body);
  });
}

/** The status of a GET on a connection of its own, and how long it took; 0 where there was no answer. */
export async function getStatus(url) {
  const startedMs = performance.now();
  const status = await fetch(url, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(5000),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, tookMs: performance.now() - startedMs };
}
