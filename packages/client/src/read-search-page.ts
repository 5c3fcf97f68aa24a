import type { FoundMeeting, SearchPage } from './client.ts';
import { findList } from './find-list.ts';
import { asFields, asList, asText, firstText, readFirst } from './report/loose.ts';
import { asId } from './report/read-id.ts';
import { readMoment } from './report/read-time.ts';

export interface ReadPage {
  readonly found: SearchPage;
  /** The entries of the answer, those that could not be read included. */
  readonly listed: number;
}

const listNames = ['followups', 'meetings', 'results', 'items'] as const;
const dateNames = ['date', 'local_date_time', 'started_at', 'startedAt', 'start_time', 'created_at'] as const;

/** Undefined when the answer holds no list of meetings. */
export function readSearchPage(body: unknown, page: number): ReadPage | undefined {
  const total = readTotal(body);
  const items = findList(body, listNames) ?? (total === 0 ? [] : undefined);
  if (items === undefined) return undefined;
  return {
    found: {
      page,
      ...(total === undefined ? {} : { total }),
      meetings: items.flatMap(readMeeting),
      raw: body,
    },
    listed: items.length,
  };
}

function readTotal(body: unknown): number | undefined {
  const fields = asFields(body) ?? {};
  const texts = [fields, asFields(fields['data']) ?? {}].map((at) => firstText(at, 'total', 'totalCount'));
  const total = Number(texts.find((text) => text !== undefined) ?? Number.NaN);
  return Number.isSafeInteger(total) && total >= 0 ? total : undefined;
}

function readMeeting(raw: unknown): FoundMeeting[] {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'meeting_id', 'meetingId'], asId);
  if (id === undefined) return [];
  const startedAt = dateNames.map((name) => readMoment(fields[name])).find((moment) => moment !== undefined);
  const source = firstText(fields, 'source');
  return [
    {
      id,
      title: firstText(fields, 'name', 'title') ?? 'Untitled meeting',
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(source === undefined ? {} : { source }),
      tags: asList(fields['tags']).flatMap(readTagName),
      raw,
    },
  ];
}

function readTagName(tag: unknown): string[] {
  const name = asText(tag) ?? firstText(asFields(tag) ?? {}, 'name', 'id');
  return name === undefined ? [] : [name];
}
