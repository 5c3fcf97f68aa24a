import { connect } from 'node:net';

/** A connection that sends exactly the bytes it is given. */
export interface RawConnection {
  send(bytes: Buffer | string): void;
  /** Says that nothing more will come, and goes on listening. */
  finish(): void;
  /** The next answer; undefined when the receiver has closed instead. Rejects when neither happens. */
  next(isBodyless?: boolean): Promise<RawAnswer | undefined>;
  /** All answers that are still to come, until the receiver closes. */
  rest(): Promise<RawAnswer[]>;
  /** Goes away without a word. */
  destroy(): void;
}

/** Long enough for a machine that is busy with other tests; a receiver that hangs fails by this. */
const PATIENCE_MS = 20_000;

export function openConnection(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset while we still send is a way to close; what came before it stays.
  socket.on('error', () => {});
  socket.on('close', () => {
    hasEnded = true;
    wake();
  });

  async function next(isBodyless = false): Promise<RawAnswer | undefined> {
    for (;;) {
      const taken = takeAnswer(received, hasEnded, isBodyless);
      if (taken !== undefined) {
        received = Buffer.from(taken.rest);
        return taken.answer;
      }
      if (hasEnded) return undefined;
      await moreOrEnd();
    }
  }

  function moreOrEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        reject(new Error(`neither an answer nor an end; so far: ${received.toString('latin1')}`));
        socket.destroy();
      }, PATIENCE_MS);
      wake = () => {
        clearTimeout(giveUp);
        resolve();
      };
    });
  }

  return {
    send: (bytes) => {
      socket.write(bytes);
    },
    finish: () => {
      socket.end();
    },
    next,
    rest: async () => {
      const answers: RawAnswer[] = [];
      for (let answer = await next(); answer !== undefined; answer = await next()) answers.push(answer);
      return answers;
    },
    destroy: () => {
      socket.destroy();
    },
  };
}

/** One HTTP answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Everything before the empty line. */
  readonly head: string;
  /** In lower case, in the order in which they came. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const emptyChunk = Buffer.from('0\r\n\r\n');

interface TakenAnswer {
  readonly answer: RawAnswer;
  readonly rest: Buffer;
}

/**
 * Takes the first answer off the bytes that came; undefined while it isn't complete. Small on purpose: it knows what
 * a receiver may answer, and throws on everything else, so that a receiver out of step can't pass unseen.
 * `isBodyless` is for the answer to HEAD, whose length says what GET would have had.
 */
function takeAnswer(bytes: Buffer, hasEnded: boolean, isBodyless = false): TakenAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) {
    if (hasEnded && bytes.length > 0) throw new Error(`half an answer: ${bytes.toString('latin1')}`);
    return undefined;
  }
  const head = bytes.subarray(0, headEnd).toString('latin1');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(statusLine)?.[1]);
  if (!(status >= 100)) throw new Error(`not an answer: ${statusLine}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!-9;-~]+): (.*)$/.exec(line) ?? [];
    if (name === '' || headers.has(name.toLowerCase())) throw new Error(`a strange header line: ${line}`);
    headers.set(name.toLowerCase(), value);
  }
  const after = bytes.subarray(headEnd + 4);
  const length = headers.get('content-length');
  if (status < 200 || isBodyless) return done(0);
  if (length !== undefined) return after.length < Number(length) ? undefined : done(Number(length));
  if (headers.get('transfer-encoding') === 'chunked') {
    // Node's own answers are of one empty chunk; nothing of ours is chunked.
    if (after.length < emptyChunk.length) return undefined;
    if (!after.subarray(0, emptyChunk.length).equals(emptyChunk)) throw new Error('an answer in chunks');
    return { answer: { status, head, headers, body: '' }, rest: after.subarray(emptyChunk.length) };
  }
  if (headers.get('connection')?.toLowerCase() !== 'close') throw new Error(`no end in sight: ${head}`);
  return hasEnded ? done(after.length) : undefined;

  function done(bodyLength: number): TakenAnswer {
    const body = after.subarray(0, bodyLength).toString('utf8');
    return { answer: { status, head, headers, body }, rest: after.subarray(bodyLength) };
  }
}
