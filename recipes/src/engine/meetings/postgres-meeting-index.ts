import {
  createGroupedWriter,
  isPostgresDataError,
  type PostgresBackend,
  writeGroup,
  defineFunction,
  type SchemaObject,
} from '@aftermeet/queue';
import { z } from 'zod';

import { openPostgresLink, writeRows } from '../store/postgres-link.ts';
import { groupSettings } from '../store/store-tools.ts';
import {
  type MeetingIndex,
  type MeetingNote,
  meetingRetentionMs,
  orderRetentionMs,
  notedMeetingsSchema,
  readCompletion,
  type SeenMeeting,
  seenMeetingsSchema,
} from './meeting-index.ts';

/** Two groups of notes, and one for everything else. */
const maxConnections = 3;

const rowsSchema = z.array(z.object({ seen: z.unknown() }));

const ordersSchema = z.array(z.object({ ordered: z.tuple([z.string(), z.string()]) }));

/** Opens the index on PostgreSQL: a row for each meeting. Makes its tables and function where they are missing. */
export async function openPostgresMeetingIndex(backend: PostgresBackend): Promise<MeetingIndex> {
  const { namespace } = backend;
  const objects = describeMeetingsSchema(namespace);
  const link = await openPostgresLink(backend, { maxConnections, objects });
  const table = `"${namespace}".meetings`;
  const orders = `"${namespace}".meeting_orders`;
  const columns = `json_build_array(meeting_id, seen_at_ms, completed_at, endpoint) as seen`;

  async function note(group: readonly MeetingNote[]): Promise<readonly (SeenMeeting | null)[]> {
    const { rows } = await link.outlast({
      name: noteFunctionName,
      text: `select "${namespace}".${noteFunctionName}($1) as answers`,
      values: [writeRows(group.map(toRow))],
    });
    return notedMeetingsSchema.parse(rows[0]?.answers);
  }
  const notes = createGroupedWriter<MeetingNote, SeenMeeting | null>(
    (group) => writeGroup(group, note, isPostgresDataError),
    groupSettings,
  );

  async function select(conditions: string, values: readonly unknown[]): Promise<readonly SeenMeeting[]> {
    const { rows } = await link.ask(`select ${columns} from ${table} ${conditions}`, values);
    return seenMeetingsSchema.parse(rowsSchema.parse(rows).map(({ seen }) => seen));
  }

  return {
    note: async (noted) => (await notes.write(noted)) ?? undefined,
    find: (meetingIds) => select('where meeting_id = any ($1)', [meetingIds]),
    list: ({ fromMs, toMs, limit }) =>
      select(
        `where seen_at_ms >= $1 and seen_at_ms < $2 and completed_at <> ''
         order by seen_at_ms, meeting_id limit $3`,
        [fromMs, toMs, Math.max(limit, 0)],
      ),
    async noteOrder({ meetingId, endpoint, nowMs }) {
      await link.ask(
        `insert into ${orders} values ($1, $2, $3) on conflict (meeting_id)
         do update set endpoint = excluded.endpoint, ordered_at_ms = excluded.ordered_at_ms`,
        [meetingId, endpoint, nowMs],
      );
    },
    async findOrders(meetingIds) {
      const { rows } = await link.ask(
        `select json_build_array(meeting_id, endpoint) as ordered from ${orders} where meeting_id = any ($1)`,
        [meetingIds],
      );
      return new Map(ordersSchema.parse(rows).map(({ ordered }) => ordered));
    },
    // Rows that a note holds are left to the next time.
    async sweep(nowMs) {
      await link.sweep(
        `delete from ${table} where meeting_id = any (array(
           select meeting_id from ${table} where seen_at_ms <= $2 limit $1 for update skip locked))`,
        [nowMs - meetingRetentionMs],
      );
      await link.sweep(
        `delete from ${orders} where meeting_id = any (array(
           select meeting_id from ${orders} where ordered_at_ms <= $2 limit $1 for update skip locked))`,
        [nowMs - orderRetentionMs],
      );
    },
    close: () => link.close([notes]),
  };
}

/** What the function takes; `at` is its place in the group, from 1. */
function toRow(note: MeetingNote, index: number) {
  const { completedAt, completedAtMs } = readCompletion(note);
  return {
    at: index + 1,
    meeting_id: note.meetingId,
    now_ms: note.nowMs,
    completed_at: completedAt,
    completed_at_ms: completedAtMs,
    endpoint: note.endpoint,
    is_unsigned: note.isUnsigned === true,
  };
}

/** It gets a number when its arguments or its meaning change, so that two releases can use one database. */
const noteFunctionName = 'note_meetings';

/** The table, the index and the function of the meeting index, in the order in which they are made. */
function describeMeetingsSchema(namespace: string): readonly SchemaObject[] {
  return [
    {
      name: 'meetings',
      sql: `create table "${namespace}".meetings (
        meeting_id text collate "C" primary key,
        seen_at_ms bigint not null,
        completed_at text not null,
        completed_at_ms bigint not null,
        endpoint text not null
      )`,
    },
    {
      name: 'meetings_seen',
      sql: `create index meetings_seen on "${namespace}".meetings (seen_at_ms, meeting_id)`,
    },
    {
      name: 'meeting_orders',
      sql: `create table "${namespace}".meeting_orders (
        meeting_id text primary key,
        endpoint text not null,
        ordered_at_ms bigint not null
      )`,
    },
    defineFunction(noteFunctionName, noteFunction(namespace)),
  ];
}

/**
 * SQL that makes the function that notes a group of events in one transaction, and answers with what was known before
 * each. Rows are locked in the order of their ids, so that two groups can't wait for each other.
 */
function noteFunction(namespace: string): string {
  const table = `"${namespace}".meetings`;
  return `
    create or replace function "${namespace}".${noteFunctionName}(p_notes json)
    returns json language plpgsql set enable_seqscan = off set lock_timeout = '5s' as $note$
    declare
      v_note record;
      v_row ${table};
      v_is_there boolean;
      v_answers json[] := '{}';
    begin
      for v_note in
        select * from json_to_recordset(p_notes) as noted (
          at integer, meeting_id text, now_ms bigint, completed_at text, completed_at_ms bigint,
          endpoint text, is_unsigned boolean
        ) order by meeting_id collate "C", at
      loop
        <<once_more>> loop
          select * into v_row from ${table} where meeting_id = v_note.meeting_id for update;
          v_is_there := found;
          if v_is_there and v_row.seen_at_ms <= v_note.now_ms - ${meetingRetentionMs} then
            delete from ${table} where meeting_id = v_note.meeting_id;
            v_is_there := false;
          end if;
          if v_is_there then
            update ${table} set seen_at_ms = greatest(seen_at_ms, v_note.now_ms),
                endpoint = case when v_note.is_unsigned then endpoint else v_note.endpoint end
              where meeting_id = v_note.meeting_id;
            if v_note.completed_at <> ''
              and (v_row.completed_at = '' or v_note.completed_at_ms > v_row.completed_at_ms) then
              update ${table} set completed_at = v_note.completed_at, completed_at_ms = v_note.completed_at_ms
                where meeting_id = v_note.meeting_id;
            end if;
          else
            insert into ${table} values (v_note.meeting_id, v_note.now_ms, v_note.completed_at, v_note.completed_at_ms, v_note.endpoint)
              on conflict (meeting_id) do nothing;
            -- Another note has just made the row.
            continue once_more when not found;
          end if;
          v_answers[v_note.at] := case
            when v_is_there then json_build_array(v_row.meeting_id, v_row.seen_at_ms, v_row.completed_at, v_row.endpoint)
            else 'null'::json end;
          exit once_more;
        end loop;
      end loop;
      return array_to_json(v_answers);
    end
    $note$`;
}
