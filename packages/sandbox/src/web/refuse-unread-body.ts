import express, { type RequestHandler } from 'express';

/** To be used behind the parsers of bodies, whatever content types they read. */
export const refuseUnreadBody: readonly RequestHandler[] = [
  express.raw({ type: () => true }),
  (request, response, next) => {
    const body: unknown = request.body;
    const isUnread = Buffer.isBuffer(body);
    if (isUnread && body.length === 0) request.body = undefined;
    if ((isUnread && body.length > 0) || isJsonAsForm(body)) {
      response.status(400).json({
        code: 'INVALID_REQUEST',
        message: 'The body was not read: send JSON with Content-Type: application/json.',
      });
    } else next();
  },
];

/** As `curl -d` sends it: a form whose first field is named like the beginning of an object. */
function isJsonAsForm(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const [field] = Object.keys(body);
  return field !== undefined && /^\s*[{[]/.test(field);
}
