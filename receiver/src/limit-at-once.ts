import type { NextFunction, Request, Response } from 'express';

/** Lets so many requests through at once, so that many here take nothing from the deliveries; `refuse` answers the others. */
export function limitAtOnce(max: number, refuse: (response: Response) => void) {
  let working = 0;
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (working >= max) {
      response.status(503).set('Retry-After', '1');
      refuse(response);
      return;
    }
    working += 1;
    response.once('close', () => (working -= 1));
    next();
  };
}
