import type { Log } from '@aftermeet/queue';
import express, { type Request, type Response, type Router } from 'express';

import { errorName } from './logging.ts';

/** One command line of an operator, without the name of the program. */
export interface AskedCommand {
  readonly words: readonly string[];
  /** The width of the terminal that it is shown at; absent: none is. */
  readonly columns?: number | undefined;
}

export interface CommandOutput {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Runs a command line where the receiver is, and answers with its exit code. */
export type RunCommand = (asked: AskedCommand, output: CommandOutput) => Promise<number>;

const MAX_BODY = '32kb';
const MAX_WORDS = 200;
const MAX_AT_ONCE = 4;

/**
 * `POST /api/commands`: a command of an operator who is elsewhere. Answers a line of JSON for each piece of output as it
 * comes (`out`, `err`), and at the end the exit code (`exit`). Without that last line the command was cut off.
 */
export function createCommandRoute(run: RunCommand, log: Log): Router {
  const router = express.Router();
  let running = 0;
  router.post('/', express.json({ limit: MAX_BODY }), async (request: Request, response: Response) => {
    const asked = readAsked(request.body);
    if (asked === undefined) {
      response.status(400).json({ status: 'refused', reason: 'unreadable' });
      return;
    }
    if (running >= MAX_AT_ONCE) {
      response.status(503).set('Retry-After', '1').json({ status: 'refused', reason: 'busy' });
      return;
    }
    running += 1;
    log.info({ command: nameCommand(asked.words) }, 'an operator runs a command');
    response.status(200).set('content-type', 'application/x-ndjson');
    const send = (line: object): void => {
      if (!response.destroyed) response.write(`${JSON.stringify(line)}\n`);
    };
    try {
      const exit = await run(asked, {
        write: (out) => send({ out }),
        writeError: (err) => send({ err }),
      });
      send({ exit });
      response.end();
    } catch (error) {
      log.error({ error: errorName(error) }, 'a command of an operator was cut off');
      response.destroy();
    } finally {
      // A command goes on when its connection is gone.
      running -= 1;
    }
  });
  return router;
}

function readAsked(body: unknown): AskedCommand | undefined {
  if (typeof body !== 'object' || body === null || !('words' in body)) return undefined;
  const { words } = body;
  const isLine =
    Array.isArray(words) &&
    words.length > 0 &&
    words.length <= MAX_WORDS &&
    words.every((word): word is string => typeof word === 'string');
  if (!isLine) return undefined;
  const columns = 'columns' in body ? body.columns : undefined;
  const isWidth = typeof columns === 'number' && Number.isInteger(columns) && columns > 0 && columns <= 1000;
  return { words, columns: isWidth ? columns : undefined };
}

/** Later words can be addresses. */
function nameCommand(words: readonly string[]): string {
  const named = words.slice(0, 2).filter((word) => /^[a-z]{1,20}$/.test(word));
  return named.join(' ');
}
