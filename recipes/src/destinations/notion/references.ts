import { type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { NotSent } from '../../engine/prepared-send.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';
import type { FieldValue, NotionPage } from './page.ts';
import { type Column, factRules, type References } from './properties.ts';

type MeetingValue = Extract<FieldValue, { kind: 'meeting' }>;
type PersonValue = Pick<Extract<FieldValue, { kind: 'person' }>, 'id' | 'email'>;

export interface ReferenceFinder {
  /** Finds the people and pages that the properties of a page point to. Never throws. */
  find(
    page: NotionPage,
    columns: readonly Column[],
  ): Promise<{ readonly result: 'ready'; readonly references: References } | NotSent>;
}

const peopleCacheMs = 600_000;
const maxPeoplePages = 50;
/** A meeting's page is created at about the same time as the rows of its tasks, and Notion finds it a little later. */
const meetingWaitMs = 120_000;
const maxAwaited = 1000;
const defaultMeetingProperty = factRules.meeting['meetingId']?.property ?? '';

/**
 * Finds the owner of a task by the exact address among the people of the workspace, and the page of its meeting by the
 * meeting id. A missing one is left out; a setting that Notion cannot search by is `permanent`. `meetings` is the data
 * source to search if neither the page nor its property names one.
 */
export function createReferenceFinder(
  client: Client,
  meetings: string | undefined,
  clock: () => number,
): ReferenceFinder {
  let people: { readonly known: Promise<NotionPeople>; readonly readAtMs: number } | undefined;
  const awaitedSince = new Map<string, number>();

  /** By an id that the workspace has, or else by the address. */
  async function findPerson({ id, email }: PersonValue): Promise<string | undefined> {
    if (id === undefined && email === undefined) return undefined;
    if (people === undefined || clock() - people.readAtMs > peopleCacheMs) {
      people = { known: listPeople(client), readAtMs: clock() };
    }
    const current = people;
    try {
      const { byEmail, ids, isComplete } = await current.known;
      // Notion refuses a whole page for the id of somebody who is not there.
      if (id !== undefined && (!isComplete || ids.has(foldId(id)))) return id;
      return email === undefined ? undefined : byEmail.get(email.toLowerCase());
    } catch (error) {
      if (people === current) people = undefined;
      throw error;
    }
  }

  async function findMeetingPage(
    page: NotionPage,
    { name, relatedSource }: Column,
    value: MeetingValue,
  ): Promise<{ readonly result: 'ready'; readonly id?: string | undefined } | NotSent> {
    const { meetingProperty = defaultMeetingProperty } = page;
    const source = page.meetings ?? relatedSource ?? meetings;
    if (source === undefined) return { result: 'ready' };
    if (relatedSource !== undefined && foldId(source) !== foldId(relatedSource)) {
      const cause = `the Notion property "${name}" points into another data source than the option meetings says: change one of them`;
      return { result: 'permanent', cause, contact: 'answered' };
    }
    const found = await queryMeeting(client, source, meetingProperty, value);
    if (found === 'not_searchable') {
      if (page.meetings === undefined && page.meetingProperty === undefined) return { result: 'ready' };
      const cause = `Notion can't look for the meeting's page by a text property "${meetingProperty}": check the options meetings and meetingProperty`;
      return { result: 'permanent', cause, contact: 'answered' };
    }
    if (found.id === undefined && page.meetings !== undefined && isAwaited(value)) {
      return { result: 'not_sent_retry', cause: "the meeting's page is not there yet", contact: 'none' };
    }
    return { result: 'ready', id: found.id };
  }

  /** Whether the row still waits for the page of this occurrence of the meeting. */
  function isAwaited({ meetingId, startedAt = '' }: MeetingValue): boolean {
    const occurrence = `${meetingId}\n${startedAt}`;
    const sinceMs = awaitedSince.get(occurrence) ?? clock();
    awaitedSince.set(occurrence, sinceMs);
    const [oldest] = awaitedSince.keys();
    if (awaitedSince.size > maxAwaited && oldest !== undefined) awaitedSince.delete(oldest);
    return clock() - sinceMs < meetingWaitMs;
  }

  return {
    async find(page, columns) {
      const references = new Map<string, string>();
      try {
        for (const column of columns) {
          const value = page.fields[column.fact];
          let id: string | undefined;
          if (column.type === 'people' && value?.kind === 'person') {
            id = await findPerson(value);
          } else if (column.type === 'relation' && value?.kind === 'meeting') {
            const found = await findMeetingPage(page, column, value);
            if (found.result !== 'ready') return found;
            ({ id } = found);
          }
          if (id !== undefined) references.set(column.fact, id);
        }
        return { result: 'ready', references };
      } catch (error) {
        return classifyNotionPreparation(error);
      }
    },
  };
}

/** Notion takes an id with and without dashes. */
function foldId(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

const peopleSchema = z.object({
  results: z.array(
    z.object({ id: z.string(), person: z.object({ email: z.string() }).optional().catch(undefined) }),
  ),
  next_cursor: z.string().nullish(),
});

interface NotionPeople {
  /** Ids by address in lower case. */
  readonly byEmail: ReadonlyMap<string, string>;
  /** Folded. */
  readonly ids: ReadonlySet<string>;
  /** False: the connection may not read people, or there are more. */
  readonly isComplete: boolean;
}

async function listPeople(client: Client): Promise<NotionPeople> {
  const byEmail = new Map<string, string>();
  const ids = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPeoplePages; page += 1) {
    try {
      const answer = await client.users.list({
        page_size: 100,
        ...(cursor === undefined ? {} : { start_cursor: cursor }),
      });
      const { results, next_cursor: next } = peopleSchema.parse(answer);
      for (const { id, person } of results) {
        ids.add(foldId(id));
        if (person !== undefined) byEmail.set(person.email.toLowerCase(), id);
      }
      if (next === null || next === undefined) return { byEmail, ids, isComplete: true };
      cursor = next;
    } catch (error) {
      if (isHTTPResponseError(error) && error.status === 403) break;
      throw error;
    }
  }
  return { byEmail, ids, isComplete: false };
}

const pagesSchema = z.object({
  results: z.array(z.object({ id: z.string(), properties: z.record(z.string(), z.unknown()).default({}) })),
});

/**
 * The page of a meeting. All meetings of a series have one id: then the page with a date in the minute of the start, which
 * is as exactly as Notion stores times. Without such a page the newest one without a date.
 */
async function queryMeeting(
  client: Client,
  dataSourceId: string,
  property: string,
  { meetingId, startedAt = '' }: MeetingValue,
): Promise<{ readonly id?: string | undefined } | 'not_searchable'> {
  try {
    const answer = await client.dataSources.query({
      data_source_id: dataSourceId,
      filter: { property, rich_text: { equals: meetingId } },
      sorts: [{ timestamp: 'created_time', direction: 'descending' }],
      page_size: 20,
    });
    const pages = pagesSchema.parse(answer).results.map(({ id, properties }) => ({
      id,
      minutes: Object.values(properties).flatMap(readMinute),
    }));
    const minute = toMinute(startedAt);
    if (Number.isNaN(minute)) return { id: pages[0]?.id };
    const page =
      pages.find(({ minutes }) => minutes.includes(minute)) ??
      pages.find(({ minutes }) => minutes.length === 0);
    return { id: page?.id };
  } catch (error) {
    if (!isHTTPResponseError(error)) throw error;
    // Not a data source, or it has no such property: waiting would not help.
    if (error.status === 400) return 'not_searchable';
    // The connection may not read it, so it finds no page there.
    if (error.status === 403 || error.status === 404) return {};
    throw error;
  }
}

const dateSchema = z.object({ date: z.object({ start: z.string() }) });

function readMinute(property: unknown): readonly number[] {
  const minute = toMinute(dateSchema.safeParse(property).data?.date.start ?? '');
  return Number.isNaN(minute) ? [] : [minute];
}

function toMinute(time: string): number {
  return Math.floor(Date.parse(time) / 60_000);
}
