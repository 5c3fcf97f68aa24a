import { describe, expect, it } from 'vitest';

import { listPrebuiltRecipes } from '../prebuilt/list-prebuilt-recipes.ts';
import type { N8nExport } from './draw-workflow.ts';
import { toN8nWorkflow } from './to-n8n-workflow.ts';

/** A value of each option that is not what counts without it. */
const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'archive-export': {
    folder: '/srv/meetings',
    format: ['docx', 'md'],
    name: '{title}_{id}',
    timezone: 'Europe/Berlin',
    includeReport: false,
    includeTasks: false,
    template: 'sales-meeting',
    tags: ['archived'],
    createTags: true,
  },
  'email-alert': { to: 'ann@example.com', cooldown: '1h' },
  'email-digest': {
    to: ['ann@example.com'],
    every: 'week',
    at: '17:30',
    timezone: 'Europe/Berlin',
    link: 'https://app.example/{meeting_id}',
  },
  'email-follow-up': {
    to: ['ann@example.com', 'organiser'],
    except: 'example.org',
    external: 'send',
    attach: 'pdf',
    calendar: false,
    link: 'https://app.example/{meeting_id}',
  },
  'http-forward': {
    url: 'https://hooks.example/in',
    secret: 'a-secret-of-16-letters',
    include: ['summary', 'transcript'],
    emails: true,
    headers: { Authorization: 'Bearer x' },
    allow: 'private',
    expect: '"status":',
  },
  'notion-page': {
    dataSource: '0f2d5b8e-91c4-4c86-8f3d-5b7a6e2c1d90',
    link: 'https://app.example/{meeting_id}',
    transcript: false,
    properties: { date: 'When' },
    initialStatus: 'New',
  },
  'notion-tasks': {
    dataSource: '0f2d5b8e-91c4-4c86-8f3d-5b7a6e2c1d90',
    meetings: '7c1e9a34-20b7-4f5d-a1c8-3e6d9b0f4a12',
    meetingProperty: 'Meeting no.',
    link: 'https://app.example/{meeting_id}',
    properties: { due: 'Deadline' },
    initialStatus: 'New',
  },
  regenerate: { template: 'sales-meeting', shownAs: 'Sales' },
  'slack-alert': { channel: 'C0AAAAAAAA', cooldown: '1h', link: 'https://app.example/{meeting_id}' },
  'slack-recap': {
    channel: 'C0AAAAAAAA',
    link: 'https://app.example/{meeting_id}',
    sections: 'none',
    mention: false,
    maxTasks: 3,
    file: 'pdf',
  },
  'slack-tasks': {
    people: { 'Ann Lee': 'U0AAAAAAAA' },
    fallback: 'C0AAAAAAAA',
    link: 'https://app.example/{meeting_id}',
  },
};

function draw(use: string, given: Readonly<Record<string, unknown>>): N8nExport {
  const made = toN8nWorkflow({ name: use, use, when: {}, with: given });
  if (made === undefined) throw new Error(`no workflow for ${use}`);
  return made;
}

/** What the workflow does, without what it says of itself. */
function nodesOf({ workflow }: N8nExport): string {
  return JSON.stringify([
    workflow.nodes.filter(({ name }) => name !== 'Read me first'),
    workflow.connections,
    workflow.settings,
  ]);
}

describe('the options of a recipe', () => {
  it.each(listPrebuiltRecipes().map((prebuilt) => [prebuilt.id, prebuilt] as const))(
    '%s: each changes what the workflow does, or its note names it',
    (id, prebuilt) => {
      const chosen = values[id] ?? {};
      expect(Object.keys(chosen).toSorted()).toEqual(prebuilt.options.map(({ name }) => name).toSorted());
      expect(prebuilt.check(chosen)).toEqual([]);
      const plain = nodesOf(draw(id, {}));
      for (const [name, value] of Object.entries(chosen)) {
        const made = draw(id, { [name]: value });
        const note = JSON.stringify(made.workflow.nodes.find((node) => node.name === 'Read me first'));
        const isNamed = new RegExp(`\`${name}\`|left out: .*\\b${name}\\b`).test(note);
        expect({ name, isCarried: isNamed || nodesOf(made) !== plain }).toEqual({ name, isCarried: true });
      }
    },
  );

  it('says which rules for recipients and which parts it leaves out', () => {
    expect(draw('email-follow-up', { to: ['ann@example.com', 'internal', 'all'] }).notes).toContain(
      'These rules for recipients are left out: internal, all. Without addresses in `mail_to` the mail stays inside.',
    );
    expect(draw('http-forward', { include: ['summary', 'transcript'] }).notes).toContain(
      'Of a report only summary, decisions and tasks are sent, as far as `include` names them: no other sections, no transcript.',
    );
  });
});

describe('what counts as one of one’s own people', () => {
  const drawMail = (mail: object) => {
    const smtp = { smtpUrl: 'smtp://127.0.0.1', to: [], from: 'bot@example.com' };
    const made = toN8nWorkflow(
      { name: 'm', use: 'email-follow-up', when: {}, with: {} },
      { destinations: { mail: { ...smtp, ...mail } } },
    );
    const fields = JSON.stringify(made?.workflow.nodes.find(({ name }) => name === 'Settings')?.parameters);
    const domains = /"name":"internal_domains","value":"([^"]*)"/.exec(fields)?.[1];
    return { domains, isTold: made?.notes.some((note) => note.includes('public mail provider')) };
  };

  it.each([
    [{}, 'example.com', false],
    [{ from: '"me@gmail.com" <bot@example.com>' }, 'example.com', false],
    [{ from: 'Ann <ann@gmail.com>' }, '', true],
    [{ from: 'ann@gmail.com', internalDomains: ['Example.org'] }, 'example.org', false],
  ])('with %j: "%s"', (mail, domains, isTold) => {
    expect(drawMail(mail)).toEqual({ domains, isTold });
  });
});

describe('the readers of tasks in Slack', () => {
  const given = { name: 't', use: 'slack-tasks', when: {}, with: {} };
  const slack = { token: 'xoxb-1', channel: 'C0COMPANY' };

  it('are never the channel of the installation', () => {
    expect(JSON.stringify(toN8nWorkflow(given, { destinations: { slack } }))).not.toContain('C0COMPANY');
    expect(JSON.stringify(toN8nWorkflow(given))).not.toContain('C0123456789');
  });
});

describe('addresses of the settings', () => {
  it('lose user, password and query, and the notes say so', () => {
    const made = toN8nWorkflow(
      { name: 'recap', use: 'slack-recap', when: {}, with: {} },
      {
        serviceUrl: 'https://ann:SECRET1@service.example/base/',
        destinations: {
          slack: { token: 'x', channel: 'C1', apiUrl: 'https://proxy.example/api/?key=SECRET2' },
        },
      },
    );
    const json = JSON.stringify(made);
    expect(json).not.toContain('SECRET');
    expect(json).toContain('"https://service.example/base"');
    expect(json).toContain('"https://proxy.example/api"');
    expect(made?.notes.filter((note) => note.includes('must not hold'))).toHaveLength(2);
  });
});
