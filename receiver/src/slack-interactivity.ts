import type { Log } from '@aftermeet/queue';
import { verifySlackRequest } from '@aftermeet/webhooks';
import express, { type Request, type Response, type Router } from 'express';

import { readOnce } from './is-operator.ts';
import { limitAtOnce } from './limit-at-once.ts';
import { errorName } from './logging.ts';

/** What people do in Slack. */
export interface SlackInteractivity {
  /** The signing secret of the app. */
  readonly signingSecret: string;
  /** What it returns is the body of the answer; undefined: an empty one. */
  readonly answer: (payload: unknown) => Promise<object | undefined>;
}

interface InteractivityTools extends SlackInteractivity {
  readonly log: Log;
  readonly nowMs: () => number;
  /** Slack waits for three seconds. What takes longer goes on after the answer. Default 2500. */
  readonly answerWithinMs?: number;
}

/** A click brings its whole message along. */
const MAX_BODY = '256kb';
/** Requests that are worked on at once: many here take nothing from the deliveries. */
const MAX_AT_ONCE = 16;

/** `POST /slack/interactivity`: buttons and forms of our messages in Slack. Open to all; the signature decides. */
export function createSlackInteractivity(tools: InteractivityTools): Router {
  const { signingSecret, answer, log, nowMs, answerWithinMs = 2500 } = tools;
  const router = express.Router({ caseSensitive: true });

  router.post(
    '/interactivity',
    limitAtOnce(MAX_AT_ONCE, (response) => {
      response.json({ status: 'refused', reason: 'busy' });
    }),
    // A compressed body is not what was signed.
    express.raw({ type: () => true, limit: MAX_BODY, inflate: false }),
    async (request, response) => {
      const body: unknown = request.body;
      const isSigned =
        Buffer.isBuffer(body) &&
        verifySlackRequest(
          {
            body,
            timestamp: readOnce(request, 'x-slack-request-timestamp'),
            signature: readOnce(request, 'x-slack-signature'),
          },
          signingSecret,
          Math.floor(nowMs() / 1000),
        );
      if (!isSigned) {
        response.status(401).json({ status: 'refused', reason: 'unauthorized' });
        return;
      }
      const payload = readPayload(body.toString('utf8'));
      if (payload === undefined) {
        response.status(400).json({ status: 'refused', reason: 'unreadable' });
        return;
      }
      await respond(payload, response);
    },
  );
  router.all('/interactivity', (_request: Request, response: Response) => {
    response.status(405).set('allow', 'POST').json({ status: 'refused', reason: 'wrong_method' });
  });

  async function respond(payload: unknown, response: Response): Promise<void> {
    const handled = answer(payload);
    handled.catch((error: unknown) => {
      log.error({ error: errorName(error) }, 'a click in Slack could not be answered');
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), answerWithinMs);
    });
    try {
      const result = await Promise.race([handled, late]);
      if (result === undefined) response.status(200).end();
      else response.json(result);
    } catch {
      // Slack tells the person that it did not work: they click again.
      response.status(503).json({ status: 'refused', reason: 'unavailable' });
    } finally {
      clearTimeout(timer);
    }
  }
  return router;
}

/** The JSON in the form field `payload`. */
function readPayload(form: string): unknown {
  const [payload, ...others] = new URLSearchParams(form).getAll('payload');
  if (payload === undefined || others.length > 0) return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
