import { describe, expect, it } from 'vitest';

import { recipesWithWorkflow, toN8nWorkflow } from './n8n-workflow.ts';

const destinations = {
  slack: { token: 'xoxb-SECRET', channel: 'C0SETTINGS' },
  notion: { token: 'ntn_SECRET', dataSourceId: '11111111-2222' },
  email: {
    smtpUrl: 'smtp://user:SECRET@mail.example.com',
    from: 'Notes <notes@example.com>',
    to: ['team@example.com'],
  },
};

function recipe(use: string, more: object = {}) {
  return { name: use, use, when: {}, with: {}, ...more };
}

describe('toN8nWorkflow', () => {
  it('has a workflow of four recipes, and no secret in any', () => {
    expect(recipesWithWorkflow).toEqual(['slack-recap', 'slack-alert', 'notion-page', 'email-follow-up']);
    for (const use of recipesWithWorkflow) {
      const made = toN8nWorkflow(recipe(use), destinations);
      expect(made?.workflow.nodes.length).toBeGreaterThan(2);
      expect(JSON.stringify(made)).not.toContain('SECRET');
    }
    expect(toN8nWorkflow(recipe('http-forward'))).toBeUndefined();
    expect(toN8nWorkflow(recipe('toString'))).toBeUndefined();
  });

  it.each([
    ['slack-recap', {}, ['"C0SETTINGS"']],
    ['slack-alert', { channel: 'C0RECIPE' }, ['"C0RECIPE"']],
    ['notion-page', {}, ['"11111111-2222"']],
    [
      'email-follow-up',
      { to: ['ann@example.com', 'bob@example.org'] },
      ['"ann@example.com, bob@example.org"'],
    ],
    [
      'email-follow-up',
      { to: 'internal' },
      ['"Notes <notes@example.com>"', '"value":"example.com"', '"mail_to","value":""'],
    ],
    ['email-follow-up', {}, ['"team@example.com"']],
    ['email-follow-up', { to: '=1+1' }, ['"={{ \\"=1+1\\" }}"']],
  ])('fills %s with %j', (use, options, expected) => {
    const text = JSON.stringify(toN8nWorkflow(recipe(use, { with: options }), destinations));
    for (const part of expected) expect(text).toContain(part);
  });

  it('fills in no domain of a public mail provider as internal', () => {
    const mail = { ...destinations.email, from: 'Ann <ann@gmail.com>' };
    expect(JSON.stringify(toN8nWorkflow(recipe('email-follow-up'), { email: mail }))).toContain(
      '"internal_domains","value":""',
    );
  });

  it('says which options and conditions are left out', () => {
    const configured = recipe('slack-recap', {
      with: { channel: 'C1', maxTasks: 3 },
      when: { title: '*Sales*' },
    });
    expect(toN8nWorkflow(configured)?.notes).toEqual([
      'These options of the recipe are left out: maxTasks.',
      'The conditions of the recipe (when) are left out: set them in the trigger, or in a Filter node behind it.',
      'The note in the workflow says what to fill in, and what the workflow does not do.',
    ]);
  });

  it('gives a recipe of another name ids of its own, the same each time', () => {
    const one = toN8nWorkflow(recipe('slack-recap', { name: 'sales' }));
    expect(toN8nWorkflow(recipe('slack-recap', { name: 'sales' }))).toEqual(one);
    const ids = ['sales', 'team', 'slack-recap'].map((name) => {
      const made = toN8nWorkflow(recipe('slack-recap', { name }))?.workflow;
      return [made?.id, ...(made?.nodes ?? []).map(({ id }) => id)];
    });
    const all = ids.flat().filter((id) => id !== undefined);
    expect(new Set(all).size).toBe(all.length);
    expect(one?.workflow.name).toBe('Aftermeet: sales');
  });
});
