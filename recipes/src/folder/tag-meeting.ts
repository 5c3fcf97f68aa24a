import { ServiceError } from '@aftermeet/client';

import type { ServiceActions } from '../open-carriers.ts';
import { explainServiceFault } from '../service/explain-service-fault.ts';
import type { NotSent } from '../shipment.ts';

export interface WantedTags {
  readonly names: readonly string[];
  /** Those that the workspace does not have are made. */
  readonly mayCreate: boolean;
  readonly signal: AbortSignal;
}

export type FoundTags = { readonly result: 'found'; readonly ids: readonly string[] } | NotSent;

/**
 * The ids of tags by their names, of which case does not matter. May be repeated: a tag that was made in doubt is in the
 * list the next time.
 */
export async function findTags(
  tags: ServiceActions['tags'],
  { names, mayCreate, signal }: WantedTags,
): Promise<FoundTags> {
  if (names.length === 0) return { result: 'found', ids: [] };
  try {
    const known = new Map((await tags.list({ signal })).map(({ id, name }) => [foldName(name), id]));
    const ids: string[] = [];
    for (const name of names) {
      const id =
        known.get(foldName(name)) ?? (mayCreate ? (await tags.create({ name }, { signal })).id : undefined);
      if (id === undefined) {
        const cause = 'the workspace has no tag of this name: create it there, or say createTags: true';
        return { result: 'permanent', cause };
      }
      ids.push(id);
    }
    return { result: 'found', ids };
  } catch (error) {
    const what = 'the tags cannot be looked up';
    // Somebody else has made it meanwhile, or nobody knows whether it was made: the list says.
    const isSettledByList =
      error instanceof ServiceError && (error.code === 'ambiguous' || error.code === 'conflict');
    if (isSettledByList) return { result: 'not_sent_retry', cause: what, contact: 'answered' };
    return explainServiceFault(error, what);
  }
}

/** Puts tags on a meeting, one by one; a tag that is there already is no error. Undefined when all are there. */
export async function tagMeeting(
  tags: ServiceActions['tags'],
  meetingId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<NotSent | undefined> {
  try {
    for (const id of ids) await tags.attach({ meeting_id: meetingId, tag_id: id }, { signal });
    return undefined;
  } catch (error) {
    return explainServiceFault(error, 'the file is there, and its tags cannot be attached');
  }
}

function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
