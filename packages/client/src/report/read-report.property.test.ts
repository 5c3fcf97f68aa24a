import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openText } from '../loose.ts';
import { holdsReport, readReport, readReportStatus } from './read-report.ts';
import type { Report } from './report.ts';
import { makeObservedReport } from './testing/observed-report.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFilled: Check = (value) => typeof value === 'string' && value.trim() !== '';
const isMoment: Check = (value) =>
  isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
const isDay: Check = (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value));
const isOffset: Check = (value) => isText(value) && /^[+-]\d\d:\d\d$/.test(String(value));
const isSeconds: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag: Check = (value) => typeof value === 'boolean';
const isAnything: Check = () => true;
const isWarning: Check = (value) =>
  isText(value) && /^(?:\d+ of the [a-z ]+ could not be read|the [a-z, UTC]+)$/.test(String(value));

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object with exactly these fields; those whose name ends in `?` may be absent, but not undefined. */
function shape(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const fields = new Map(Object.entries(value));
    const isRight = Object.entries(checks).every(([name, check]) => {
      const bare = name.replace('?', '');
      return fields.has(bare) ? fields.get(bare) !== undefined && check(fields.get(bare)) : name !== bare;
    });
    return (
      isRight &&
      [...fields.keys()].every((name) => Object.hasOwn(checks, name) || Object.hasOwn(checks, `${name}?`))
    );
  };
}

const isSegment = shape({
  text: isFilled,
  'speaker?': isFilled,
  'startSeconds?': isSeconds,
  'endSeconds?': isSeconds,
});
const isChapter = shape({ name: isFilled, 'startSeconds?': isSeconds, 'endSeconds?': isSeconds });
const isPerson: Check = (value) =>
  shape({ 'name?': isFilled, 'email?': isFilled })(value) && Object.keys(Object(value)).length > 0;
const isTask = shape({
  text: isFilled,
  'owner?': isFilled,
  'due?': isFilled,
  'dueDate?': isDay,
  'atSeconds?': isSeconds,
  'chapter?': isFilled,
});
const isBlock = shape({ name: isFilled, text: isText, 'value?': isAnything });
const isReportShape: Readonly<Record<string, Check>> = {
  meetingId: (value) => value === 'm',
  title: isFilled,
  'startedAt?': isMoment,
  'endedAt?': isMoment,
  'startedLocal?': isFilled,
  'utcOffset?': isOffset,
  'durationSeconds?': isSeconds,
  'source?': isFilled,
  'status?': isFilled,
  isTranscriptEmpty: isFlag,
  participants: listOf(isPerson),
  speakers: listOf(shape({ name: isFilled, 'id?': isFilled, 'talkSeconds?': isSeconds })),
  'summary?': isFilled,
  decisions: listOf(isFilled),
  tasks: listOf(isTask),
  transcript: listOf(isSegment),
  chapters: listOf(isChapter),
  templates: listOf(shape({ name: isFilled, 'id?': isFilled, blocks: listOf(isBlock) })),
  keywords: listOf(isFilled),
  tags: listOf(isFilled),
  warnings: listOf(isWarning),
};

/** Everything that holds of every report that was ever read. */
function expectSound(report: Report, body: unknown): void {
  const { raw, ...rest } = report;
  expect(raw).toBe(body);
  expect(rest).toSatisfy(shape(isReportShape));
  const spans = [...report.transcript, ...report.chapters];
  const isOrdered = spans.every(
    ({ startSeconds = 0, endSeconds = startSeconds }) => endSeconds >= startSeconds,
  );
  expect(isOrdered).toBe(true);
  const names = report.speakers.map(({ name }) => name);
  for (const list of [names, report.decisions, report.keywords, report.tags]) {
    expect(new Set(list).size).toBe(list.length);
  }
}

interface Mutation {
  readonly place: number;
  readonly kind: 'delete' | 'replace' | 'rename' | 'duplicate' | 'wrap' | 'swap' | 'nest' | 'stringify';
  readonly value: unknown;
  readonly other: number;
}

const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', ' ', '[]', '{}', '99:99', '2026-02-31', [null], {}, [
    [],
  ]),
);
const keys = fc.constantFrom('__proto__', 'constructor', 'toString', 'data', 'name', 'text', 'start', 'x');
const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(10_000),
  kind: fc.constantFrom('delete', 'replace', 'rename', 'duplicate', 'wrap', 'swap', 'nest', 'stringify'),
  value: fc.oneof(hostileValue, keys),
  other: fc.nat(10_000),
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** Every field and entry, the outermost first. A list is an object with numbers for names here. */
function listPlaces(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  // JSON's objects and lists are just that: values by name, all of them writable.
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...listPlaces(holder[key])]);
}

function mutate(body: unknown, { place, kind, value, other }: Mutation): void {
  const places = listPlaces(body);
  const { holder, key } = places[place % places.length] ?? { holder: {}, key: '' };
  const second = places[other % places.length] ?? { holder: {}, key: '' };
  const was = holder[key];
  const name = typeof value === 'string' ? value : 'renamed';
  if (kind === 'delete') delete holder[key];
  if (kind === 'replace') holder[key] = value;
  // A list that came as JSON has numbers for names, and no others.
  if (kind === 'rename' && !Array.isArray(holder)) {
    delete holder[key];
    Object.defineProperty(holder, name, { value: was, enumerable: true, configurable: true, writable: true });
  }
  if (kind === 'duplicate') holder[key] = Array.isArray(was) ? [...was, ...was] : [was, was];
  if (kind === 'wrap') holder[key] = { [name]: was };
  if (kind === 'nest') holder[key] = [was];
  if (kind === 'stringify') holder[key] = JSON.stringify(was) ?? '';
  if (kind === 'swap') {
    holder[key] = structuredClone(second.holder[second.key]);
    second.holder[second.key] = structuredClone(was);
  }
}

/** How often each text stands in a body, also inside of texts that are JSON. Numbers may be read as texts. */
function countTexts(value: unknown, counts = new Map<string, number>()): ReadonlyMap<string, number> {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) countTexts(inner, counts);
  } else {
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    const opened = openText(value);
    if (opened !== value) countTexts(opened, counts);
  }
  return counts;
}

describe('readReport', () => {
  it('never throws, and gives the shape it promises, whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expectSound(readReport('m', body), body);
        expect(typeof holdsReport(body)).toBe('boolean');
        readReportStatus(body);
      }),
      { numRuns: 120 },
    );
  });

  it('never throws, and gives the shape it promises, whatever happens to a good report', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 6 }), (mutations) => {
        const body: unknown = makeObservedReport();
        for (const step of mutations) mutate(body, step);
        const before = JSON.stringify(body);
        const report = readReport('m', body);
        expectSound(report, body);
        expect(JSON.stringify(body)).toBe(before);
        const written = countTexts(body);
        for (const [text, count] of countTexts(report.transcript.map((segment) => segment.text))) {
          expect(count).toBeLessThanOrEqual(written.get(text) ?? 0);
        }
        expect(typeof holdsReport(body)).toBe('boolean');
      }),
      { numRuns: 250 },
    );
  });

  it('has no more segments than before when something is taken away or spoilt', () => {
    const { transcript } = readReport('m', makeObservedReport());
    const spoiling = mutation.filter(({ kind }) => ['delete', 'replace', 'rename'].includes(kind));
    fc.assert(
      fc.property(fc.array(spoiling, { minLength: 1, maxLength: 3 }), (mutations) => {
        const body = makeObservedReport();
        for (const step of mutations) {
          // A text is what segments are made of, so spoiling puts none where there was none.
          mutate(body, typeof step.value === 'object' ? { ...step, value: null } : step);
        }
        expect(readReport('m', body).transcript.length).toBeLessThanOrEqual(transcript.length);
      }),
      { numRuns: 200 },
    );
  });

  it('never lets a word of the report into a warning', () => {
    const marked: unknown = JSON.parse(
      JSON.stringify(makeObservedReport()).replaceAll(
        /:"([^"]*)"/g,
        (_match, text: string) => `:"${text} zqx"`,
      ),
    );
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 6 }), (mutations) => {
        const body = structuredClone(marked);
        for (const step of mutations) mutate(body, step);
        expect(readReport('m', body).warnings.join(' ')).not.toContain('zqx');
      }),
      { numRuns: 100 },
    );
  });
});
