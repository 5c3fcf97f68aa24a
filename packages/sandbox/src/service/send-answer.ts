import type { Response } from 'express';

import type { ServiceAnswer } from './service-answer.ts';

/** Puts an answer on the wire. A file is sent as an attachment, its name encoded for every client (RFC 6266). */
export function sendAnswer(response: Response, answer: ServiceAnswer): void {
  response.status(answer.status);
  if (answer.headers !== undefined) response.set(answer.headers);
  if ('empty' in answer) response.end();
  else if ('text' in answer) response.type('text/plain').send(answer.text);
  else if ('json' in answer) response.json(answer.json);
  else {
    const { bytes, contentType, filename } = answer.file;
    response.attachment(filename).set('Content-Type', contentType).send(Buffer.from(bytes));
  }
}
