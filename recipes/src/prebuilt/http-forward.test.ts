import { expect, it } from 'vitest';

import { buildDigest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { httpForward } from './http-forward.ts';

const values = { url: 'https://hooks.example.com/in?token=t0ken', secret: 'a-secret-of-some-length' };

function render(changes: object = {}) {
  const { plan, input } = httpForward.bind({ ...values, ...changes }, {});
  const [effect] = plan(sampleEvent);
  if (effect === undefined || input.from !== 'report') throw new Error('nothing planned');
  const rendered = input.render(buildDigest(sampleReport), effect);
  if ('skip' in rendered || rendered.destination !== 'http') throw new Error('nothing rendered');
  return { effect, input, rendered };
}

function findProblems(changes: object): readonly string[] {
  return httpForward
    .check({ ...values, ...changes })
    .map(({ setting, expected }) => `${setting}: ${expected}`);
}

it('names its target by the host and a hash, so that a token in the address is nowhere', () => {
  const { effect, rendered } = render();
  expect(effect).toEqual({ target: 'hooks.example.com#02745e7c', part: 0 });
  const written = JSON.stringify([effect, rendered]);
  expect(written).not.toMatch(/t0ken|a-secret/);
  expect(JSON.parse(written)).toMatchObject([{}, { message: { to: { host: 'hooks.example.com' } } }]);
});

it('says the same whatever the secret is', () => {
  const other = render({ secret: ['another-secret-of-some-length', 'a-secret-of-some-length'] });
  expect(JSON.stringify(other.rendered)).toBe(JSON.stringify(render().rendered));
});

it('leaves addresses and the transcript out unless they are wanted', () => {
  const { rendered, input } = render();
  expect(input.from === 'report' && input.needsTranscript).toBe(false);
  expect(rendered.message.body).not.toContain('ann@example.com');
  const full = render({ emails: true, include: ['tasks', 'transcript'] });
  expect(full.input.from === 'report' && full.input.needsTranscript).toBe(true);
  expect(full.rendered.message.body).toContain('ann@example.com');
  const { data } = JSON.parse(full.rendered.message.body) as { data: object };
  expect(Object.keys(data)).toEqual([
    'version',
    'meeting_id',
    'title',
    'started_at',
    'utc_offset',
    'duration_seconds',
    'source',
    'participants',
    'tags',
    'templates',
    'is_cut',
    'tasks',
    'transcript',
  ]);
});

const anAddress = 'with.url: an address that starts with https://';
const aSecret =
  'with.secret: whsec_ and the Base64 of 24 to 64 bytes, or a text of 16 characters or more, or a list of up to five while one replaces another';
const headerNames = 'names of headers with their values, none of them one that is set here';

it.each([
  [{ url: 'http://hooks.example.com/' }, `${anAddress}; http:// is taken with allow: private alone`],
  [{ url: 'https://me:pw@hooks.example.com/' }, `${anAddress}, without a user or a password in it`],
  [{ url: 'ftp://hooks.example.com/' }, `${anAddress}, without a user or a password in it`],
  [{ secret: 'short' }, aSecret],
  [{ secret: 'whsec_dG9vIHNob3J0' }, aSecret],
  [{ headers: { Host: 'other.example' } }, `with.headers: ${headerNames}`],
  [{ headers: { 'Webhook-Id': '1' } }, `with.headers: ${headerNames}`],
  [{ headers: { 'x-a': 'one\r\nx-b: two' } }, `with.headers.x-a: ${headerNames}`],
  [{ headers: { 'x a': 'one' } }, `with.headers: ${headerNames}`],
  [{ allow: 'all' }, 'with.allow: private'],
  [{ method: 'GET' }, 'with.method: one of POST, PUT, PATCH'],
])('refuses %o', (changes, problem) => {
  expect(findProblems(changes)).toEqual([problem]);
});

const noteUrl = 'https://api.example.com/notes';

/** One effect of a recipe with a body, as it is posted. */
function post(options: object, item?: string): unknown {
  const { input } = httpForward.bind({ url: noteUrl, ...options }, {});
  if (input.from !== 'report') throw new Error('not made from the report');
  const effect = { target: 'any', part: 0, ...(item === undefined ? {} : { item }) };
  const made = input.render(buildDigest(sampleReport), effect);
  if ('skip' in made) return made;
  return made.destination === 'http' ? JSON.parse(made.message.body) : undefined;
}

it('posts a body of its own over the same fields', () => {
  const body = {
    kind: '{{ type }}',
    subject: '{{ title }} ({{ meeting_id }})',
    minutes: '{{ duration_seconds | divided_by: 60 }}',
    lines: ["{% for task in tasks %}{{ task.owner | default: 'open' }}: {{ task.text }}; {% endfor %}"],
  };
  expect(post({ body })).toEqual({
    kind: 'meeting.completed',
    subject: 'Weekly sync (m_1)',
    minutes: 65,
    lines: ['Ann Lee: Send the offer; Ann Lee: Write the minutes; open: Book a room; '],
  });
});

it('posts each open task, by a key that stays when the report is made anew', () => {
  const options = {
    each: 'tasks',
    include: ['summary'],
    body: { text: '{{ task.text }}', of: '{{ title }}' },
  };
  const { plan, input } = httpForward.bind({ url: noteUrl, ...options }, {});
  expect(plan(sampleEvent)).toEqual([{ target: 'expand', part: 0 }]);
  const listItems = (report: typeof sampleReport) =>
    (input.from === 'report'
      ? input.expand?.(buildDigest(report), { target: 'expand', part: 0 })
      : undefined
    )?.map(({ target, item }) => [target, item]);
  const [first = expect.fail('no task'), ...open] = sampleReport.tasks;
  const changed = {
    ...sampleReport,
    title: 'Other',
    tasks: [...open.toReversed(), { ...first, state: 'done' as const }],
  };
  expect(listItems(sampleReport)).toEqual([
    ['api.example.com#fed463e7', 'd2e5d7fdba7f25d2aadef24cac8cca42'],
    ['api.example.com#fed463e7', '09cefd7c76aa9ee6a50c406f90db2dc6'],
    ['api.example.com#fed463e7', '54557427f38a7f437c6c2570b6f92422'],
  ]);
  expect(listItems(changed)).toEqual([
    ['api.example.com#fed463e7', '09cefd7c76aa9ee6a50c406f90db2dc6'],
    ['api.example.com#fed463e7', '54557427f38a7f437c6c2570b6f92422'],
  ]);
  expect(post(options, '54557427f38a7f437c6c2570b6f92422')).toEqual({
    text: 'Book a room',
    of: 'Weekly sync',
  });
  expect(post(options, 'gone')).toEqual({ skip: 'the report does not have this open task any more' });
});

it.each([
  [
    { secret: values.secret },
    {
      type: 'meeting.failed',
      timestamp: '2026-07-07T12:05:00Z',
      data: { version: 1, meeting_id: 'm_1', title: 'Weekly sync', reason: 'no "sound"' },
    },
  ],
  [
    { body: { text: '{{ title }}: {{ reason }}', tasks: '{{ tasks.size }}' } },
    { text: 'Weekly sync: no "sound"', tasks: null },
  ],
])('posts of a failed meeting with %j the body %j', (options, body) => {
  const { plan, input } = httpForward.bind({ url: noteUrl, ...options }, {});
  const failed = { ...sampleEvent, kind: 'meeting.failed', title: 'Weekly sync', reason: 'no "sound"' };
  expect(plan(failed)).toEqual([{ target: 'api.example.com#fed463e7', part: 0 }]);
  const made = input.from === 'report' ? input.renderFailed?.(failed) : undefined;
  expect(made).toMatchObject({ destination: 'http', message: { body: JSON.stringify(body) } });
  const { plan: planTasks } = httpForward.bind(
    { url: noteUrl, each: 'tasks', body: ['{{ task.text }}'] },
    {},
  );
  expect(planTasks(failed)).toEqual([]);
});

it('fails what its body cannot make', () => {
  expect(post({ body: ['{% for i in (1..999999999) %}{% endfor %}'] })).toEqual({
    skip: 'the body cannot be made: its templates take too much time or memory',
    isFailure: true,
  });
});

const fieldNames =
  'names that the report has: type, timestamp, version, meeting_id, title, started_at, utc_offset, duration_seconds, source, ' +
  'participants, tags, templates, is_cut, summary, decisions, tasks, sections, transcript, reason';

it.each([
  [{}, [aSecret]],
  [{ each: 'tasks', secret: values.secret }, ['with.body: a body, because each: tasks needs one']],
  [{ body: { a: ['{{ titel }}'] } }, [`with.body.a.0: ${fieldNames}, and their fields`]],
  [{ body: { a: '{{ task.text }}' } }, [`with.body.a: ${fieldNames}, and their fields`]],
  [{ body: { a: '{{ task.txt }}' }, each: 'tasks' }, [`with.body.a: ${fieldNames}, task, and their fields`]],
  [
    { body: { a: '{{ transcript.size }}' } },
    ['with.body.a: transcript in include, because this text uses it'],
  ],
  [
    { body: ['{{ participants[0].email }}'] },
    ['with.body.0: emails: true, because this text uses an address'],
  ],
  [{ body: ['{{ title | shout }}'] }, ['with.body.0: a Liquid template; there is no filter shout']],
  [{ body: ['{{ participants[0].email }}{{ tasks.size }}'], emails: true }, []],
])('finds in %j the problems %j', (options, problems) => {
  const found = httpForward.check({ url: noteUrl, ...options });
  expect(found.map(({ setting, expected }) => `${setting}: ${expected}`)).toEqual(problems);
});

it('takes plain http where private addresses are allowed', () => {
  expect(findProblems({ url: 'http://127.0.0.1:8080/in', allow: 'private' })).toEqual([]);
});

it('tells what is missing from what does not fit', () => {
  const problems = httpForward.check({ url: 7 });
  expect(problems.map(({ setting, found }) => [setting, found])).toEqual([
    ['with.url', 'a value that does not fit'],
    ['with.secret', 'nothing'],
  ]);
});

it('repeats no value in what it finds wrong', () => {
  const headers = { 'Bearer hidden': 1 };
  const problems = httpForward.check({ ...values, secret: 'hidden', url: 'nowhere/hidden', headers });
  expect(JSON.stringify(problems)).not.toContain('hidden');
});
