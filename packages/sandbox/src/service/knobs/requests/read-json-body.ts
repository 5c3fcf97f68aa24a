import express, { type RequestHandler } from 'express';

import { answerError, type ServiceAnswer } from '../../service-answer.ts';
import type { KnobStore } from '../knob-store.ts';

/** Reads the JSON body of a request; one that is longer than the knob allows is an error with the status 413. */
export function readJsonBody(knobs: Pick<KnobStore, 'read'>): RequestHandler {
  return (request, response, next) => {
    express.json({ limit: knobs.read().maxBodyBytes })(request, response, next);
  };
}

const mebibyte = 1024 ** 2;

export function refuseLongBody(maxBytes: number): ServiceAnswer {
  const size = maxBytes % mebibyte === 0 ? `${String(maxBytes / mebibyte)} MiB` : `${String(maxBytes)} bytes`;
  return answerError(413, 'BODY_TOO_LARGE', `The body must be at most ${size} of JSON.`);
}
