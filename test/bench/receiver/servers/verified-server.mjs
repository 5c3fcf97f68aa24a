// What a good engineer writes by hand for this one sender: a limit before the body is read, the signature over its
// bytes in constant time, the age of the timestamp, and only then JSON.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

import { SECRET } from '../deliveries.mjs';

const maxBytes = 256 * 1024;
const toleranceSeconds = 300;

/** `onEvent(event, request, response)` answers with {@link answer}. */
export function createVerifiedServer(onEvent) {
  return createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/hooks/bench') {
      answer(response, 404, '{"error":"not found"}');
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      answer(response, 413, '{"error":"too large"}');
      return;
    }
    const chunks = [];
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size > maxBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('error', () => {});
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      if (!isGenuine(request.headers, body)) {
        answer(response, 401, '{"error":"unauthorized"}');
        return;
      }
      let event;
      try {
        event = JSON.parse(body.toString());
      } catch {
        answer(response, 400, '{"error":"not JSON"}');
        return;
      }
      onEvent(event, request, response);
    });
  });
}

export function answer(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': text.length });
  response.end(text);
}

function isGenuine(headers, body) {
  const signature = headers['x-service-signature'] ?? '';
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^sha256=[0-9a-f]{64}$/.test(signature) || !/^\d{1,11}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const mac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
  return timingSafeEqual(mac, Buffer.from(signature.slice(7), 'hex'));
}
