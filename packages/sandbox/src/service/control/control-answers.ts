import type { Request, Response } from 'express';
import type { z } from 'zod';

import { pageHeaders } from '../../web/render-page.ts';
import { renderRefusalPage } from './page/render-refusal-page.ts';

/** A form of the page goes back to the page; a program gets JSON. */
export function sendDone(request: Request, response: Response, body: object): void {
  if (isForm(request)) response.redirect(303, '/_sandbox');
  else response.json(body);
}

export function sendUnknown(response: Response, message: string): void {
  sendError(response, 404, { code: 'NOT_FOUND', message });
}

export function sendRefusal(response: Response, message: string): void {
  sendError(response, 400, { code: 'INVALID_REQUEST', message });
}

interface ControlError {
  readonly code: string;
  readonly message: string;
}

/** A browser that sent a form gets a page with the way back; everybody else gets JSON. */
export function sendError(response: Response, status: number, error: ControlError): void {
  const { req: request } = response;
  if (isForm(request) && request.accepts(['json', 'html']) === 'html') {
    response.status(status).set(pageHeaders).send(renderRefusalPage(error.message));
  } else response.status(status).json(error);
}

function isForm(request: Request): boolean {
  return typeof request.is('urlencoded') === 'string';
}

/** The body as the schema reads it; undefined when it was refused, with an answer that names what is wrong. An absent body is an empty one. */
export function readControlBody<T>(
  request: Request,
  response: Response,
  schema: z.ZodType<T>,
): T | undefined {
  const reading = schema.safeParse(request.body ?? {});
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  sendRefusal(response, `${place}: ${issue?.message ?? 'is invalid'}.`);
  return undefined;
}
