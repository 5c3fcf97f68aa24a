import { ServiceError, type ServiceErrorCode } from '@aftermeet/client/pure';

import { pollMeetings, type PollSource } from '../../../../nodes/nodes/AftermeetPollTrigger/poll-meetings.ts';

type Phase = 'processing' | 'ready' | 'failed' | 'unknown';

const DAY_MS = 86_400_000;

/**
 * A service in memory whose search does not tell how far meetings are, and what n8n keeps of the polls. `isFaulty` is asked
 * before each answer.
 */
export function openPollModel(isFaulty: () => boolean = () => false) {
  const meetings = new Map<string, { startMs: number; phase: Phase }>();
  const broken = new Map<string, ServiceErrorCode>();
  const emitted: string[] = [];
  let nowMs = Date.UTC(2026, 6, 7, 12);
  let kept: unknown;
  let asked = 0;
  const fail = (code: ServiceErrorCode | undefined): void => {
    if (code !== undefined) throw new ServiceError({ code, operation: 'recordings.status' });
  };
  const source: PollSource = {
    async *search(dateFrom) {
      for (const [id, { startMs }] of [...meetings].toReversed()) {
        fail(isFaulty() ? 'server' : undefined);
        const startedAt = new Date(startMs).toISOString();
        if (startedAt.slice(0, 10) >= dateFrom) yield { id, title: id, startedAt, tags: [], raw: { id } };
      }
    },
    askPhase: async (id) => {
      asked += 1;
      fail(isFaulty() ? 'server' : broken.get(id));
      return meetings.get(id)?.phase ?? 'unknown';
    },
    fetchReport: async () => ({ ok: false, error: 'none' }),
    reportUrl: (id) => id,
    now: () => nowMs,
    untilMs: Infinity,
  };
  const memory = {
    read: () => kept,
    write: (text: string) => {
      kept = text;
    },
  };
  return {
    meetings,
    /** What asking for the state of a meeting throws. */
    broken,
    /** The ids of all that was emitted. */
    emitted,
    kept: () => kept,
    asked: () => asked,
    add: (id: string, phase: Phase = 'processing') => meetings.set(id, { startMs: nowMs, phase }),
    end: (id: string, phase: Phase = 'ready') => {
      const meeting = meetings.get(id);
      if (meeting !== undefined) meeting.phase = phase;
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Answers `event id` of each meeting that this poll emits. */
    poll: async (lookBackDays = 7) => {
      const items = await pollMeetings(source, memory, {
        filters: {
          events: ['meeting.completed', 'meeting.failed'],
          title: '',
          sources: [],
          emptyTranscript: 'pass',
        },
        fetchesReport: false,
        lookBackMs: lookBackDays * DAY_MS,
      });
      const ids = items.map(({ json }) => JSON.stringify(json['meeting_id']).slice(1, -1));
      emitted.push(...ids);
      return items.map(({ json }, index) => `${JSON.stringify(json['event'])} ${ids[index] ?? ''}`);
    },
  };
}
