import { asFields, asText } from '@aftermeet/client/pure';

/** Where a list goes on, as n8n keeps it between two questions of the editor. */
export interface PagePlace {
  /** From 0. */
  readonly page: number;
  /** How many entries the pages before held. */
  readonly seen: number;
  /** The first id of the page before: a service that ignores `page` would give it again. */
  readonly firstId: string;
}

const start: PagePlace = { page: 0, seen: 0, firstId: '' };

/** A text that is no token of ours is the beginning. Pure. */
export function readPageToken(token: string | undefined): PagePlace {
  const fields = asFields(parse(token ?? '')) ?? {};
  const { page, seen } = fields;
  return isCount(page) && isCount(seen) ? { page, seen, firstId: asText(fields['firstId']) ?? '' } : start;
}

/** Pure. */
export function writePageToken(place: PagePlace): string {
  return JSON.stringify(place);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
