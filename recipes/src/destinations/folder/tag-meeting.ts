import { ServiceError } from '@aftermeet/client';

import type { ServiceActions } from '../../engine/destination.ts';
import type { NotSent } from '../../engine/prepared-send.ts';
import { explainServiceFault } from '../../engine/service-access.ts';

export interface TagRequest {
  readonly names: readonly string[];
  /** Missing tags are created. */
  readonly mayCreate: boolean;
  readonly signal: AbortSignal;
}

export type FoundTags = { readonly result: 'found'; readonly ids: readonly string[] } | NotSent;

/**
 * Finds the ids of tags by name, ignoring case. Safe to repeat: a tag whose creation is ambiguous is in the list next time.
 */
export async function findTagIds(
  tags: ServiceActions['tags'],
  { names, mayCreate, signal }: TagRequest,
): Promise<FoundTags> {
  if (names.length === 0) return { result: 'found', ids: [] };
  try {
    const { items } = await tags.list({ signal });
    const known = new Map(items.map(({ id, name }) => [normalizeTagName(name), id]));
    const ids: string[] = [];
    for (const name of names) {
      const id =
        known.get(normalizeTagName(name)) ??
        (mayCreate ? (await tags.create({ name }, { signal })).id : undefined);
      if (id === undefined) {
        const cause = 'the workspace has no tag of this name: create it there, or say createTags: true';
        return { result: 'permanent', cause };
      }
      ids.push(id);
    }
    return { result: 'found', ids };
  } catch (error) {
    const what = 'the tags cannot be looked up';
    // Another client created the tag, or the answer was lost: the next list shows it.
    const isSettledByList =
      error instanceof ServiceError && (error.code === 'ambiguous' || error.code === 'conflict');
    if (isSettledByList) return { result: 'not_sent_retry', cause: what, contact: 'answered' };
    return explainServiceFault(error, what);
  }
}

/** Attaches tags to a meeting; attaching one twice is no error. Undefined on success. */
export async function tagMeeting(
  tags: ServiceActions['tags'],
  meetingId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<NotSent | undefined> {
  try {
    for (const id of ids) await tags.attach({ meetingId, tagId: id }, { signal });
    return undefined;
  } catch (error) {
    return explainServiceFault(error, 'the file is there, and its tags cannot be attached');
  }
}

/** As the service compares the names of tags. */
function normalizeTagName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
