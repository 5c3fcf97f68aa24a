import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatProblem } from '../errors.ts';
import { cleanLine } from '../terminal/text.ts';
import { describeWritten } from './describe-written.ts';
import { readSettings } from './resolve.ts';

function problemsOf(text: string, environment: Record<string, string> = {}): string {
  const read = readSettings(environment, text);
  return read.ok ? 'no problem' : read.problems.map(formatProblem).join('\n');
}

/** A recipe of slack-recap with one wrong value. */
const recap = (name: string, option: string) => `recipes: { ${name}: { use: slack-recap, ${option} } }`;

/** `recipes.a.with` of http-forward with one wrong value. */
const forward = (option: string) =>
  `recipes: { a: { use: http-forward, with: { url: "https://example.com", secret: whsec_3f1c90de6b7a4852, ${option} } } }`;

describe('an error about a wrong value of the file', () => {
  it.each([
    ['reconcile: { every: often }', 'reconcile.every', '"often"'],
    ['destinations: { email: { when_untraceable: false } }', 'destinations.email.when_untraceable', 'false'],
    [recap('a', 'with: { sections: some }'), 'recipes.a.with.sections', '"some"'],
    [recap('"a.b"', 'with: { sections: some }'), 'recipes.a.b.with.sections', '"some"'],
    [recap('a', 'with: { maxTasks: -1 }'), 'recipes.a.with.maxTasks', 'the number -1'],
    [recap('a', 'when: { external: maybe }'), 'recipes.a.when.external', '"maybe"'],
    [forward('method: FETCH'), 'recipes.a.with.method', '"FETCH"'],
  ])('quotes it: %s', (text, setting, written) => {
    expect(problemsOf(text)).toContain(`${setting}: found ${written};`);
  });

  it('quotes the name of a variable, not its value', () => {
    const environment = { EVERY: 'hunter2' };
    expect(problemsOf('reconcile: { every: "${EVERY}" }', environment)).toContain(
      'reconcile.every: found ${EVERY}, which is text of length 7;',
    );
    const recipe = 'recipes: { a: { use: slack-recap, with: { sections: "${EVERY}" } } }';
    expect(problemsOf(recipe, environment)).toContain(
      'recipes.a.with.sections: found ${EVERY}, which is a value that does not fit;',
    );
  });

  it('quotes no default of a variable', () => {
    expect(problemsOf('reconcile: { every: "${EVERY:-hunter2}" }')).toContain(
      'reconcile.every: found ${EVERY:-…}, which is text of length 7;',
    );
  });

  it.each([
    'endpoints: { a: { secrets: [hunter2] } }',
    'endpoints: { a: { secrets: hunter2 } }',
    'endpoints: { a: { unsigned: Zk3vhunter2hunter2hunter2 } }',
    'mail: { oauth2: { user: a@b.example, client_id: a, client_secret: [hunter2], refresh_token: c } }',
    'mail: { unsubscribe_url: hunter2 }',
    'mail: { dkim: hunter2 }',
    'people: [{ name: Ann, email: hunter2 }]',
    'reconcile: { every: "https://hunter2" }',
    'reconcile: { every: hunter2@example.com }',
    forward('headers: { Authorization: [hunter2] }'),
    forward('headers: hunter2'),
    forward('method: "Bearer Zk3vhunter2hunter2hunter2"'),
    'recipes: { a: { use: http-forward, with: { url: hunter2 } } }',
    'recipes: { a: { use: http-forward, with: { url: "https://example.com", secret: hunter2 } } }',
    'recipes: { a: { use: http-forward, with: { url: "https://example.com", body: hunter2 } } }',
    'recipes: { a: { use: slack-recap, with: { link: hunter2 } } }',
  ])('does not quote what can be secret: %s', (text) => {
    const problems = problemsOf(text);
    expect(problems).toContain('found');
    expect(problems).not.toContain('hunter2');
  });

  it('is one short line of text, whatever the value is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (value) => {
        const shown = describeWritten({ every: value }, ['every'], 'text');
        expect(shown).toBe(cleanLine(shown));
        expect(shown.length).toBeLessThan(1000);
      }),
    );
    expect(describeWritten({ every: 'a b '.repeat(100) }, ['every'], 'text')).toHaveLength(62);
    expect(describeWritten({ every: 'a\u001B[31m\nb' }, ['every'], 'text')).toBe('"a b"');
  });
});
