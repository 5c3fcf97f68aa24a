import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseBodyTemplate } from './body-template.ts';

const data = {
  title: 'Acme: "renewal"',
  started_at: '2026-07-07T11:00:00.000Z',
  duration_seconds: 1800,
  is_cut: false,
  source: null,
  tasks: [
    { text: 'Send the offer', owner: 'Ann Lee' },
    { text: 'Ask legal', owner: null },
  ],
};

function render(body: unknown, values: Readonly<Record<string, unknown>> = data) {
  const parsed = parseBodyTemplate(body);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.template.render(values);
}

function findProblems(body: unknown): readonly string[] {
  const parsed = parseBodyTemplate(body);
  return parsed.ok ? [] : parsed.problems.map(({ place, message }) => `${place.join('.')}: ${message}`);
}

it.each([
  ['{{ title }}', 'Acme: "renewal"'],
  ['Notes of {{ title }}', 'Notes of Acme: "renewal"'],
  ['{{ duration_seconds }}', 1800],
  ['{{ duration_seconds | divided_by: 60 }} minutes', '30 minutes'],
  ['{{ is_cut }}', false],
  ['{{ source }}', null],
  ['at {{ source }}', 'at '],
  ['{{ source | default: "nowhere" }}', 'nowhere'],
  ['{{ tasks | map: "text" }}', ['Send the offer', 'Ask legal']],
  ['{{ tasks.first }}', { text: 'Send the offer', owner: 'Ann Lee' }],
  ['{% for task in tasks %}- {{ task.text }}\n{% endfor %}', '- Send the offer\n- Ask legal\n'],
  ['{{ started_at | date: "%Y-%m-%d %H:%M" }}', '2026-07-07 11:00'],
  ['no template', 'no template'],
  ['', ''],
])('makes of %j the value %j', (text, value) => {
  expect(render({ value: text })).toEqual({ ok: true, body: { value } });
});

it('keeps the shape and what is no text', () => {
  const body = [{ a: { b: ['{{ title }}', 7, true, null, {}] } }];
  expect(render(body)).toEqual({ ok: true, body: [{ a: { b: ['Acme: "renewal"', 7, true, null, {}] } }] });
});

it('makes JSON in which each text is what the data says, whatever that is', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\u0000\u2028', '"},{"a":"', '{{ secret }}', '{% raw %}', '${HOME}', '\\'),
  );
  fc.assert(
    fc.property(anyText, anyText, (title, text) => {
      const made = render(
        { one: '{{ title }}', part: 'a {{ title }} b', list: ['{{ task.text }}'] },
        { title, task: { text } },
      );
      const sent: unknown = made.ok ? JSON.parse(JSON.stringify(made.body)) : undefined;
      expect(sent).toEqual({ one: title, part: `a ${title} b`, list: [text] });
    }),
    { numRuns: 200 },
  );
});

describe('refuses', () => {
  it.each([
    ['a text', ': a mapping or a list, whose texts are Liquid templates'],
    [{ a: '{{ title | shout }}' }, 'a: a Liquid template; there is no filter shout'],
    [{ a: '{{ title | sample }}' }, 'a: a Liquid template; there is no filter sample'],
    [{ a: ['', '{% foo %}'] }, 'a.1: a Liquid template; there is no tag foo'],
    [{ a: "{% include '/etc/passwd' %}" }, 'a: a Liquid template; there is no tag include'],
    [{ a: "{% render 'x' %}" }, 'a: a Liquid template; there is no tag render'],
    [{ a: 'x\n {{ title' }, 'a: a Liquid template; see line 2, column 2 of the text'],
    [{ a: { '{ title }': null } }, "a: quotes around each text with braces: '{{ title }}'"],
    [{ a: 'x'.repeat(20_001) }, 'a: a Liquid template of at most 20000 characters'],
    [Array.from({ length: 201 }, () => 'x'), ': at most 200 texts'],
  ])('%j', (body, problem) => {
    expect(findProblems(body)).toEqual([problem]);
  });

  it('a body of many levels', () => {
    let body: unknown = 'x';
    for (let level = 0; level < 1000; level += 1) body = { a: body };
    expect(findProblems(body)).toEqual(['a: at most 20 levels']);
  });

  it('all that is wrong at once, without what the templates say', () => {
    const problems = findProblems({ a: 'hidden {{ x', b: '{% hidden-secret %}', c: '{{ y | }' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hidden');
  });
});

it('names what templates read, without what they set themselves', () => {
  const parsed = parseBodyTemplate({
    a: '{% assign x = title %}{{ x }}{% for task in tasks %}{{ task.text }}{{ forloop.index }}{% endfor %}',
    b: ['{{ tasks[0].owner | append: tasks.first.due }}'],
  });
  expect(parsed.ok && parsed.template.names).toEqual([
    { place: ['a'], path: ['title'] },
    { place: ['a'], path: ['tasks'] },
    { place: ['b', '0'], path: ['tasks', 'owner'] },
    { place: ['b', '0'], path: ['tasks', 'due'] },
  ]);
});

it.each([
  '{{ title.constructor }}{{ title.__proto__ }}{{ tasks.constructor }}',
  '{{ constructor }}{{ __proto__ }}{{ toString }}',
  '{{ "now" | date: "%s" | remove: "now" }}',
])('finds nothing of the program in %s', (text) => {
  expect(render([text])).toEqual({ ok: true, body: [''] });
});

it.each([
  '{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}',
  '{% for a in (1..1000000000) %}{% endfor %}',
  '{% assign a = title %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
])('gives up %s', (text) => {
  const startedMs = performance.now();
  expect(render([text, text])).toEqual({
    ok: false,
    cause: 'the body cannot be made: its templates take too much time or memory',
  });
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});

it('fails without content of the report', () => {
  expect(render(['{{ title | url_decode }}'], { title: 'hidden %zz' })).toEqual({
    ok: false,
    cause: 'the body cannot be made: a template fails with this report',
  });
});
