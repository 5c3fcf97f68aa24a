import { isPostgresDataError, type PostgresBackend, type SchemaObject, writeGroup } from '@aftermeet/queue';
import { z } from 'zod';

import { openPostgresLink, writeRows } from '../store/postgres-link.ts';
import {
  groupNotes,
  type Journal,
  JOURNAL_KEPT_MS,
  type JournalNote,
  MAX_ATTEMPTS,
  MAX_MEETING_ENTRIES,
  nameEffect,
  nameMeeting,
  readAttempts,
  readMeetingEntries,
} from './journal.ts';
import { createNoteBuffer } from './note-buffer.ts';

const rowSchema = z.object({ subject: z.string(), entries: z.array(z.unknown()) });
const placeSchema = z.object({ meeting_id: z.string(), at_ms: z.coerce.number() });

/** Opens the journal on PostgreSQL: a row for each subject. Makes its table where it is missing. */
export async function openPostgresJournal(backend: PostgresBackend): Promise<Journal> {
  const { namespace } = backend;
  const objects = describeJournalSchema(namespace);
  const link = await openPostgresLink(backend, { maxConnections: 2, objects });
  const table = `"${namespace}".journal`;

  async function write(group: readonly JournalNote[]): Promise<readonly true[]> {
    const rows = groupNotes(group).map(({ subject, meetingId, atMs, notes }) => ({
      subject,
      meeting_id: meetingId,
      at_ms: atMs,
      entries: notes,
    }));
    await link.ask(writeSql(table), [writeRows(rows)]);
    return group.map(() => true as const);
  }
  const writer = createNoteBuffer(async (group) => {
    await writeGroup(group, write, isPostgresDataError);
  });

  async function read(subjects: readonly string[]): Promise<readonly (readonly unknown[])[]> {
    const text = `select subject, entries from ${table} where subject = any ($1)`;
    const { rows } = await link.ask(text, [subjects.map(toStorable)]);
    const found = new Map(
      z
        .array(rowSchema)
        .parse(rows)
        .map(({ subject, entries }) => [subject, entries] as const),
    );
    return subjects.map((subject) => found.get(toStorable(subject)) ?? []);
  }

  return {
    note: writer.note,
    readMeetings: async (ids) => (await read(ids.map(nameMeeting))).map(readMeetingEntries),
    readEffects: async (keys) => (await read(keys.map(nameEffect))).map(readAttempts),
    async listMeetings({ limit, after, untilMs }) {
      const { rows } = await link.ask(
        `select meeting_id, at_ms from ${table} where meeting_id is not null
           and ($2::bigint is null or at_ms <= $2)
           and ($3::bigint is null or (at_ms, meeting_id) < ($3, $4))
         order by at_ms desc, meeting_id desc limit $1`,
        [
          Math.max(limit, 0),
          untilMs ?? null,
          after?.atMs ?? null,
          after === undefined ? null : toStorable(after.meetingId),
        ],
      );
      return z
        .array(placeSchema)
        .parse(rows)
        .map(({ meeting_id: meetingId, at_ms: atMs }) => ({ meetingId, atMs }));
    },
    async forget(meetingId, effectKeys) {
      await writer.flush();
      const subjects = [nameMeeting(meetingId), ...effectKeys.map(nameEffect)].map(toStorable);
      await link.ask(`delete from ${table} where subject = any ($1::text[])`, [subjects]);
    },
    sweep: (nowMs) =>
      link.sweep(
        `delete from ${table} where subject = any (array(
           select subject from ${table} where at_ms <= $2 limit $1 for update skip locked))`,
        [nowMs - JOURNAL_KEPT_MS],
      ),
    close: () => link.close([writer]),
  };
}

/** PostgreSQL keeps no NUL: a name with one is written, and looked for, as `writeRows` writes it. */
function toStorable(name: string): string {
  return name.replaceAll(/[\0\p{Surrogate}]/gu, '\u{FFFD}');
}

/** Rows are locked in the order of their subjects, so that two groups can't wait for each other. */
function writeSql(table: string): string {
  return `
    insert into ${table} as known (subject, meeting_id, at_ms, entries)
    select subject, meeting_id, at_ms, entries from json_to_recordset($1) as noted (
      subject text, meeting_id text, at_ms bigint, entries jsonb
    ) order by subject collate "C"
    on conflict (subject) do update set
      at_ms = greatest(known.at_ms, excluded.at_ms),
      entries = (
        select coalesce(jsonb_agg(entry order by nth), '[]') from (
          select entry, nth from jsonb_array_elements(known.entries || excluded.entries)
            with ordinality as each (entry, nth)
          order by nth desc
          limit case when known.meeting_id is null then ${MAX_ATTEMPTS} else ${MAX_MEETING_ENTRIES} end
        ) as newest
      )`;
}

function describeJournalSchema(namespace: string): readonly SchemaObject[] {
  return [
    {
      name: 'journal',
      sql: `create table "${namespace}".journal (
        subject text collate "C" primary key,
        meeting_id text collate "C",
        at_ms bigint not null,
        entries jsonb not null
      )`,
    },
    {
      name: 'journal_meetings',
      sql: `create index journal_meetings on "${namespace}".journal (at_ms, meeting_id) where meeting_id is not null`,
    },
    {
      name: 'journal_age',
      sql: `create index journal_age on "${namespace}".journal using brin (at_ms)`,
    },
  ];
}
