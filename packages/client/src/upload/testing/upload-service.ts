import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Busboy } from '@fastify/busboy';

import type { UploadDetails, UploadOptions, UploadResult, UploadSource } from '../../client.ts';
import type { ServiceError } from '../../errors.ts';
import type { Connection } from '../../http.ts';
import { catchFault } from '../../testing/catch-fault.ts';
import { makeConnection } from '../../testing/make-connection.ts';
import { sendUpload } from '../send-upload.ts';

export { catchFault as failureOf };

export const API_KEY = 'key_for_tests_only';

/** Tests send chunks of 1000 bytes: this is one of 1000, one of 1000 and one of 500. */
export const CONTENT = Buffer.from(
  Array.from({ length: 2500 }, (_, index) => (index * 7 + (index >> 8)) & 255),
);
export const CONTENT_SHA256 = '823156b2a0362f65ee5302513f7ee7ec8b44f5e3370aff115494267ae0ef10f2';
const CHUNK_BYTES = 1000;

export const bytesSource: UploadSource = { bytes: CONTENT, filename: 'call.mp4' };

/** Run after each test, the last one first. */
const cleaners: (() => void)[] = [];

export function cleanUp(): void {
  for (const clean of cleaners.splice(0).toReversed()) clean();
}

/** One request as it arrived. */
interface ReceivedChunk {
  readonly fields: Readonly<Record<string, string>>;
  readonly number: number;
  readonly bytes: Buffer;
  readonly filename: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface TestService {
  readonly baseUrl: string;
  /** In the order in which they had arrived completely. */
  readonly chunks: ReceivedChunk[];
  mostAtOnce: number;
  /** The answer to a status request. */
  meetingStatus: number;
  /** The meetings that were asked for. */
  readonly asked: string[];
  /** All that were made, and those that are open. */
  readonly connections: { made: number; open: number };
}

/** True when it has answered, or never will. */
export type AnswerChunk = (
  chunk: ReceivedChunk,
  response: ServerResponse,
  service: TestService,
) => boolean | Promise<boolean>;

/** A service that takes chunks; `answer` may answer in its place. Each meeting has the status that was set. */
export async function startService(answer: AnswerChunk = () => false): Promise<TestService> {
  let atOnce = 0;
  const server = createServer((request, response) => {
    atOnce += 1;
    service.mostAtOnce = Math.max(service.mostAtOnce, atOnce);
    response.on('close', () => (atOnce -= 1));
    if (request.method === 'GET') {
      service.asked.push(request.url ?? '');
      response.writeHead(service.meetingStatus).end('processed');
      return;
    }
    const fields: Record<string, string> = {};
    const pieces: Buffer[] = [];
    let filename = '';
    const parser = Busboy({ headers: { 'content-type': request.headers['content-type'] ?? '' } });
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('file', (_name, stream, name) => {
      filename = name;
      stream.on('data', (piece: Buffer) => pieces.push(piece));
    });
    parser.on('finish', () => {
      const number = Number(fields['chunk_number']);
      const chunk = { fields, number, bytes: Buffer.concat(pieces), filename, headers: request.headers };
      service.chunks.push(chunk);
      void Promise.resolve(answer(chunk, response, service)).then((isAnswered) => {
        if (isAnswered) return;
        const isLast = number === Number(fields['chunk_total']) - 1;
        sendJson(response, 200, isLast ? { meeting_id: 'm_1', user_id: 7 } : { ok: true });
      });
    });
    parser.on('error', () => {});
    request.pipe(parser);
  });
  const connections = { made: 0, open: 0 };
  server.on('connection', (socket) => {
    connections.made += 1;
    connections.open += 1;
    socket.on('close', () => (connections.open -= 1));
  });
  const service: TestService = {
    baseUrl: await listen(server),
    chunks: [],
    mostAtOnce: 0,
    meetingStatus: 200,
    asked: [],
    connections,
  };
  return service;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

/** A server without a protocol. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<{ baseUrl: string }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  cleaners.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { baseUrl: await listen(server) };
}

export async function listen(server: ReturnType<typeof createTcpServer> | Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleaners.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server without a port');
  return `http://127.0.0.1:${address.port}`;
}

export interface SendOptions extends UploadOptions {
  readonly details?: UploadDetails;
  readonly connection?: Partial<Connection>;
}

/** Uploads in chunks of 1000 bytes, content of any type, with two retries and without waiting for them. */
export function send(
  { baseUrl }: { readonly baseUrl: string },
  source: UploadSource,
  { details = {}, connection = {}, ...options }: SendOptions = {},
): Promise<UploadResult> {
  const whole = makeConnection(baseUrl, {
    apiKey: API_KEY,
    timeoutMs: 30_000,
    retries: 2,
    random: () => 0.5,
    wait: async () => {},
    ...connection,
  });
  return sendUpload({ connection: whole, chunkBytes: CHUNK_BYTES }, source, details, {
    anyType: true,
    ...options,
  });
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'am-upload-test-'));
  cleaners.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeFile(content: Uint8Array = CONTENT, path = join(makeFolder(), 'call.mp4')): string {
  writeFileSync(path, content);
  return path;
}

export interface UploadRuns {
  readonly service: TestService;
  readonly path: string;
  readonly stateFolder: string;
  /** One run of the same upload, with these options on top. */
  readonly run: (options?: SendOptions) => Promise<UploadResult>;
  /** A run that must fail. */
  readonly fail: (options?: SendOptions) => Promise<ServiceError>;
}

/** A service, a file for it, and a folder that remembers its runs. */
export async function startUpload(answer?: AnswerChunk, usual: SendOptions = {}): Promise<UploadRuns> {
  const service = await startService(answer);
  const path = makeFile();
  const stateFolder = makeFolder();
  const run = (options: SendOptions = {}): Promise<UploadResult> =>
    send(service, { path }, { stateFolder, ...usual, ...options });
  return { service, path, stateFolder, run, fail: (options) => catchFault(run(options)) };
}

export function numbersOf({ chunks }: TestService): number[] {
  return chunks.map(({ number }) => number);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** How many different values of a field the chunks had. */
export function countValues({ chunks }: TestService, field: 'id' | 'upload_session_id'): number {
  return new Set(chunks.map(({ fields }) => fields[field])).size;
}
