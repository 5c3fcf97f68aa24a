import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { DataFolderError, describeDiskFault } from './data-folder-error.ts';
import { applyChange, lineSchema, type KeptState } from './kept-state.ts';

const format = 'aftermeet-sandbox';
const version = 1;

/** The first line of a state file. */
export const stateFileHead = `${JSON.stringify({ format, version })}\n`;

const headSchema = z.looseObject({ format: z.literal(format), version: z.int() });
const newLine = 0x0a;

/**
 * What a state file holds; undefined when there is none. A last line that a killed process did not finish is left
 * out: what it says was not answered yet. Throws `DataFolderError` on a file that cannot be read, is broken in
 * another place, or was written by a newer version.
 */
export function readStateFile(path: string): KeptState | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const state: KeptState = new Map();
  let begin = 0;
  for (let number = 1; begin < bytes.length; number += 1) {
    const end = bytes.indexOf(newLine, begin);
    const isTorn = end < 0;
    const line = parseLine(bytes.subarray(begin, isTorn ? bytes.length : end));
    if (number === 1) checkHead(path, line);
    else if (line !== undefined || !isTorn) applyLine(state, line, `${path}, line ${String(number)},`);
    begin = isTorn ? bytes.length : end + 1;
  }
  if (begin === 0) checkHead(path, undefined);
  return state;
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw describeDiskFault(path, 'read', error);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined where it is no JSON in UTF-8. */
function parseLine(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

function checkHead(path: string, line: unknown): void {
  const head = headSchema.safeParse(line);
  if (!head.success) {
    throw new DataFolderError(
      `${path} is no state file of a sandbox. Name another folder, or move the file away.`,
    );
  }
  if (head.data.version > version) {
    throw new DataFolderError(
      `${path} was written by a newer version of the sandbox (format ${String(head.data.version)}; this one reads ${String(version)}). Use that version, or name another folder.`,
    );
  }
}

function applyLine(state: KeptState, line: unknown, place: string): void {
  const reading = lineSchema.safeParse(line);
  if (!reading.success) {
    throw new DataFolderError(
      `${place} is broken. Restore the file from a copy, take the line out, or name another folder.`,
    );
  }
  for (const change of [reading.data].flat()) applyChange(state, change);
}
