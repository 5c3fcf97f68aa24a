import { type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { NotSent } from '../shipment.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';
import type { References } from './fill-properties.ts';
import type { Column } from './match-properties.ts';
import { factRules, type FieldValue } from './notion-fields.ts';
import type { NotionPage } from './notion-page.ts';

const peopleLifeMs = 600_000;
const mostPeoplePages = 50;
/** A page of its meeting is made at about the same time, and Notion finds it a little later still. */
const meetingWaitMs = 120_000;
const mostAwaited = 1000;
const usualProperty = factRules.meeting['meetingId']?.property ?? '';

const peopleSchema = z.object({
  results: z.array(
    z.object({ id: z.string(), person: z.object({ email: z.string() }).optional().catch(undefined) }),
  ),
  next_cursor: z.string().nullish(),
});
const dateSchema = z.object({ date: z.object({ start: z.string() }) });
const pagesSchema = z.object({
  results: z.array(z.object({ id: z.string(), properties: z.record(z.string(), z.unknown()).default({}) })),
});

type ReferenceAnswer = { readonly result: 'ready'; readonly references: References } | NotSent;

export interface ReferenceFinder {
  /** Finds the people and pages that a page points to, as far as its properties want them. */
  find(page: NotionPage, columns: readonly Column[]): Promise<ReferenceAnswer>;
}

/**
 * Finds the owner of a task among the people of the workspace by the exact address, and the page of its meeting by the
 * meeting's id. What is not there is left out; what somebody named and Notion can't look into is `permanent`. `meetings`
 * is the data source where a page does not name one and Notion does not say where its property points.
 */
export function openReferences(client: Client, meetings: string, clock: () => number): ReferenceFinder {
  let people:
    | { readonly byEmail: Promise<ReadonlyMap<string, string>>; readonly readAtMs: number }
    | undefined;
  const awaited = new Map<string, number>();
  const findPerson = async (email: string): Promise<string | undefined> => {
    if (people === undefined || clock() - people.readAtMs > peopleLifeMs) {
      people = { byEmail: listPeople(client), readAtMs: clock() };
    }
    const reading = people;
    try {
      return (await reading.byEmail).get(email.toLowerCase());
    } catch (error) {
      if (people === reading) people = undefined;
      throw error;
    }
  };
  return {
    async find(page, columns) {
      const references = new Map<string, string>();
      try {
        for (const { fact, name, type, pointsInto } of columns) {
          const value = page.fields[fact];
          if (type === 'people' && value?.kind === 'person' && value.email !== undefined) {
            const id = await findPerson(value.email);
            if (id !== undefined) references.set(fact, id);
          }
          if (type !== 'relation' || value?.kind !== 'meeting') continue;
          const { meetingProperty = usualProperty } = page;
          const asked = page.meetings ?? pointsInto ?? meetings;
          if (pointsInto !== undefined && foldId(asked) !== foldId(pointsInto)) {
            const cause = `the Notion property "${name}" points into another data source than the option meetings says: mend one of them`;
            return { result: 'permanent', cause, contact: 'answered' };
          }
          const found = await findMeeting(client, asked, meetingProperty, value);
          if (found === 'refused') {
            if (page.meetings === undefined && page.meetingProperty === undefined) continue;
            const cause = `Notion can't look for the meeting's page by a text property "${meetingProperty}": check the options meetings and meetingProperty`;
            return { result: 'permanent', cause, contact: 'answered' };
          }
          if (found.id !== undefined) references.set(fact, found.id);
          else if (page.meetings !== undefined && isAwaited(awaited, nameHolding(value), clock())) {
            const cause = "the meeting's page is not there yet";
            return { result: 'not_sent_retry', cause, contact: 'none' };
          }
        }
        return { result: 'ready', references };
      } catch (error) {
        return classifyNotionPreparation(error);
      }
    },
  };
}

/** By address in lower case. A connection that may not read people knows none. */
async function listPeople(client: Client): Promise<ReadonlyMap<string, string>> {
  const byEmail = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPeoplePages; page += 1) {
    try {
      const answer = await client.users.list({
        page_size: 100,
        ...(cursor === undefined ? {} : { start_cursor: cursor }),
      });
      const { results, next_cursor: next } = peopleSchema.parse(answer);
      for (const { id, person } of results) {
        if (person !== undefined) byEmail.set(person.email.toLowerCase(), id);
      }
      if (next === null || next === undefined) return byEmail;
      cursor = next;
    } catch (error) {
      if (isHTTPResponseError(error) && error.status === 403) return byEmail;
      throw error;
    }
  }
  return byEmail;
}

type MeetingAnswer = { readonly id?: string | undefined } | 'refused';

/**
 * The page of the meeting. A series shares one id: then the one that began in the same minute, which is as exactly as
 * Notion keeps a time; a page of another day is no answer. Where pages bear no date, the newest. `refused`: it can't be
 * asked for by this property.
 */
async function findMeeting(
  client: Client,
  dataSourceId: string,
  property: string,
  { meetingId, startedAt = '' }: Extract<FieldValue, { kind: 'meeting' }>,
): Promise<MeetingAnswer> {
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
    return { id: (pages.find(({ minutes }) => minutes.includes(minute)) ?? pages.find(hasNoDate))?.id };
  } catch (error) {
    if (!isHTTPResponseError(error)) throw error;
    // The data source is none, or has no such property: to wait would not help.
    if (error.status === 400) return 'refused';
    // One that the connection may not read has no such page.
    if (error.status === 403 || error.status === 404) return {};
    throw error;
  }
}

function hasNoDate({ minutes }: { readonly minutes: readonly number[] }): boolean {
  return minutes.length === 0;
}

function readMinute(property: unknown): readonly number[] {
  const minute = toMinute(dateSchema.safeParse(property).data?.date.start ?? '');
  return Number.isNaN(minute) ? [] : [minute];
}

function toMinute(time: string): number {
  return Math.floor(Date.parse(time) / 60_000);
}

/** Notion takes an id with and without dashes. */
function foldId(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

/** One meeting of a series. */
function nameHolding({ meetingId, startedAt = '' }: Extract<FieldValue, { kind: 'meeting' }>): string {
  return `${meetingId}\n${startedAt}`;
}

/** Whether a page that is not there is still waited for. */
function isAwaited(awaited: Map<string, number>, holding: string, nowMs: number): boolean {
  const sinceMs = awaited.get(holding) ?? nowMs;
  awaited.set(holding, sinceMs);
  const [oldest] = awaited.keys();
  if (awaited.size > mostAwaited && oldest !== undefined) awaited.delete(oldest);
  return nowMs - sinceMs < meetingWaitMs;
}
