import { createHash } from 'node:crypto';

import { asFields, asList, asText } from '../report/loose.ts';
import type { Connection } from '../send-request.ts';
import type { FileIdentity } from './upload-file.ts';
import type { UploadDetails } from './upload.ts';

/** What is known of an unfinished upload of a file. */
export interface UploadNote {
  readonly path: string;
  readonly size: number;
  readonly modified: string;
  readonly chunkBytes: number;
  readonly id: string;
  readonly sessionId: string;
  /** The chunks that the service has, each with the SHA-256 of the file from its beginning to the chunk's end. */
  readonly accepted: ReadonlyMap<number, string>;
  readonly final: FinalRequest;
}

/**
 * The request that completes the upload: surely without effect so far, or refused for good, or first sent at this
 * time (Unix milliseconds) by a run that did not learn what became of it.
 */
export type FinalRequest = 'unsent' | 'refused' | { readonly sentMs: number };

const VERSION = 2;

export function writeNote({ accepted, ...rest }: UploadNote): unknown {
  return { version: VERSION, ...rest, accepted: [...accepted] };
}

/** The note, if it is one of this very file as it is now; whatever else was found counts as none. */
export function readNote(
  raw: unknown,
  { path, modified }: FileIdentity,
  size: number,
  chunkBytes: number,
): UploadNote | undefined {
  const fields = asFields(raw) ?? {};
  const isSame =
    fields['version'] === VERSION &&
    fields['path'] === path &&
    fields['size'] === size &&
    fields['modified'] === modified &&
    fields['chunkBytes'] === chunkBytes;
  const id = asText(fields['id']);
  const sessionId = asText(fields['sessionId']);
  const accepted = readAccepted(fields['accepted'], Math.ceil(size / chunkBytes));
  const final = readFinal(fields['final']);
  if (!isSame || id === undefined || sessionId === undefined || accepted === undefined) return undefined;
  if (!isUuid(id) || !isUuid(sessionId) || final === undefined) return undefined;
  return { path, size, modified, chunkBytes, id, sessionId, accepted, final };
}

function readFinal(raw: unknown): FinalRequest | undefined {
  if (raw === 'unsent' || raw === 'refused') return raw;
  const sentMs = asFields(raw)?.['sentMs'];
  return typeof sentMs === 'number' ? { sentMs } : undefined;
}

function readAccepted(raw: unknown, chunkCount: number): ReadonlyMap<number, string> | undefined {
  const accepted = new Map<number, string>();
  for (const entry of asList(raw)) {
    const [number, digest] = asList(entry);
    if (typeof number !== 'number' || !Number.isInteger(number) || typeof digest !== 'string')
      return undefined;
    if (number < 0 || number >= chunkCount) return undefined;
    accepted.set(number, digest);
  }
  return Array.isArray(raw) ? accepted : undefined;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

const KEY_LENGTH = 32;

/**
 * Names a workspace of a service without naming either: meetings of one are unknown in another. The key is part
 * of it because nothing else tells workspaces apart; a hash of it cannot be turned back.
 */
export function nameScope({ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>): string {
  return digestOf(baseUrl, apiKey);
}

/** The same file with other details is another upload. */
export function nameNote(scope: string, path: string, details: UploadDetails): string {
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  return `part-${digestOf(scope, path, JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1))))}.json`;
}

function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, KEY_LENGTH);
}
