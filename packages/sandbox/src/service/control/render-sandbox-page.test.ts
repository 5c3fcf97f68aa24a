import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { makeChunkBody, multipartType } from '../../testing/multipart.ts';
import { startPickyReceiver } from '../../testing/start-picky-receiver.ts';
import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';
import { tidyHtml } from '../../testing/tidy-html.ts';

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
const secret = 'a-secret-of-enough-length';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox({
    transitions: 'clock',
    links: [{ label: 'Slack', url: 'http://127.0.0.1:4011' }],
  });
});

afterAll(() => house.sandbox.close());

beforeEach(() => {
  house.sandbox.reset();
  house.sandbox.clock.change({ isFrozen: true });
});

async function load(): Promise<string> {
  const { status, body } = await house.call('GET', '/_sandbox');
  expect(status).toBe(200);
  return tidyHtml(String(body));
}

/** Something of everything, with hostile text wherever somebody can put text. */
async function fill(): Promise<void> {
  const { sandbox, call } = house;
  const receiver = await startPickyReceiver();
  const fields = { webhook_url: receiver.url, webhook_secret: secret, source: hostile };
  const meetingId = await house.holdMeeting({ title: hostile, ...fields });
  sandbox.failMeeting(meetingId, { reason: hostile });
  await call('POST', '/api/record-meeting', {
    link: 'https://zoom.us/j/1?pwd=invitation',
    cron: '0 9 * * 1',
  });
  await call('POST', `/_sandbox/meetings/${meetingId}/announce`, { event: '<b>"kind"' });
  await receiver.waitFor(3);
  await vi.waitFor(() => {
    expect(sandbox.deliveries().every(({ state }) => state === 'delivered')).toBe(true);
  });
  const bytes = Buffer.from('x');
  await fetch(`${house.url}/api/video`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
    body: makeChunkBody({ number: 0, total: 3, bytes, size: 2, fields: { filename: '<b>.mp4' } }),
  });
  sandbox.callFaults.add({ kind: 'reset', on: 'tags.list' });
  sandbox.deliveryFaults.add({ kind: 'drop', times: null, after: 1000 });
  sandbox.knobs.turn({ sources: [hostile.slice(0, 50)] });
}

it('greets whoever opens it first', async () => {
  const page = await load();
  expect(page).toContain(
    '<div class="empty"><p>No meeting yet. <code>POST /api/record-meeting</code> starts one, an upload to <code>/api/video</code> brings one.</p>' +
      '<form method="post" action="/_sandbox/seed#meetings" class="buttons"><button>Fill with meetings</button></form></div>',
  );
  expect(page).toContain('<p class="empty">No delivery yet.');
  expect(page).toContain('· plan business, minutes are not counted</p>');
  expect(page).toContain(`Base address <code>${house.url}</code>`);
  expect(page).toContain('<a href="#meetings">Meetings</a>');
  expect(page).toContain(
    '<a href="http://127.0.0.1:4011" rel="noreferrer noopener" target="_blank">Slack</a>',
  );
});

it('tells plan and minutes', async () => {
  await house.call('POST', '/_sandbox/plan', { plan: 'lite', minutes_left: 0 });
  expect(await load()).toContain('· plan lite, 0 minutes left</p>');
});

describe('with something of everything', () => {
  beforeEach(fill);

  it('has no tag but its own, and loads nothing', async () => {
    const page = await load();
    expect([...new Set(page.match(/<[a-z][a-z0-9]*/g))].toSorted().join(' ')).toBe(
      '<a <article <bdi <body <button <code <details <div <form <h1 <h2 <h3 <head <hr <html <input <label <li <main <meta <nav <ol <option <p <progress <select <span <strong <style <summary <time <title <ul',
    );
    const bare = [...page.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, ''));
    expect([...new Set(bare.flatMap((tag) => tag.match(/ [a-z-]+/g) ?? []))].toSorted().join('')).toBe(
      ' action aria-label autocomplete charset class content datetime formaction href id lang max maxlength method min minlength name placeholder rel required start step target type value',
    );
    const { headers } = await fetch(`${house.url}/_sandbox`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
  });

  it('shows neither key, secret, invitation nor the path of a receiver', async () => {
    expect(await load()).not.toMatch(/sandbox_key|a-secret|invitation|capability/);
  });

  it('has headings in order, and no id twice', async () => {
    const page = await load();
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/<a href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('has a name for every field, and for every button one of its own', async () => {
    const page = await load();
    for (const [field] of page.matchAll(/<(?:input|select)\b[^>]*>/g)) {
      const before = page.slice(0, page.indexOf(field));
      expect(before.lastIndexOf('<label')).toBeGreaterThan(before.lastIndexOf('</label>'));
    }
    const names = [...page.matchAll(/<button(?:[^>]* aria-label="([^"]+)")?[^>]*>([^<]+)/g)].map(
      ([, label, text]) => label ?? text,
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has buttons all of which do what they say, and lead back', async () => {
    const page = await load();
    const done: string[] = [];
    for (const { action, fields } of listSubmissions(page)) {
      const response = await fetch(house.url + action, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        headers: { Accept: 'text/html' },
      });
      done.push(`${String(response.status)} ${response.headers.get('location') ?? ''} ${action}`);
    }
    expect(done.map((line) => line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID'))).toEqual([
      ...Array.from({ length: 6 }, () => '303 /_sandbox /_sandbox/clock#clock'),
      '303 /_sandbox /_sandbox/meetings#meetings',
      '303 /_sandbox /_sandbox/seed#meetings',
      '303 /_sandbox /_sandbox/meetings/ID/complete#meeting-ID',
      '303 /_sandbox /_sandbox/meetings/ID/complete#meeting-ID',
      '303 /_sandbox /_sandbox/meetings/ID/fail#meeting-ID',
      '303 /_sandbox /_sandbox/meetings/ID/complete#meeting-ID',
      '303 /_sandbox /_sandbox/meetings/ID/complete#meeting-ID',
      '303 /_sandbox /_sandbox/meetings/ID/fail#meeting-ID',
      ...Array.from({ length: 3 }, () => '303 /_sandbox /_sandbox/deliveries/ID/redeliver#delivery-ID'),
      '303 /_sandbox /_sandbox/faults/common#faults',
      '303 /_sandbox /_sandbox/faults/common#faults',
      '303 /_sandbox /_sandbox/faults/fault-2/remove#faults',
      '303 /_sandbox /_sandbox/faults/fault-1/remove#faults',
      '303 /_sandbox /_sandbox/faults/clear#faults',
      '303 /_sandbox /_sandbox/knobs/reset#knobs',
      '303 /_sandbox /_sandbox/reset',
    ]);
    expect((await house.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
  });
});

it('shows the newest 50 and says how many more there are', async () => {
  house.sandbox.seed({ meetings: 53 });
  const page = await load();
  expect(page.match(/<article/g)).toHaveLength(50);
  expect(page).toContain(
    '<p class="small soft">3 more are not shown: <a href="/_sandbox/meetings">all of them as JSON</a>.</p>',
  );
  expect(page).toContain('<a href="#meetings">Meetings (53)</a>');
  const { meetings } = (await house.call('GET', '/_sandbox/meetings')).body as {
    meetings: { meeting_id: string }[];
  };
  const ids = meetings.map(({ meeting_id: id }) => id);
  expect(ids.filter((id) => page.includes(`id="meeting-${id}"`))).toEqual(ids.slice(3));
});

interface Submission {
  readonly action: string;
  readonly fields: Record<string, string>;
}

/** What a browser sends for each button of each form, with nothing typed. */
function listSubmissions(page: string): readonly Submission[] {
  return [...page.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/g)].flatMap(
    ([, action = '', form = '']) => {
      const fields = [
        ...form.matchAll(/<input\b([^>]*)>|<select name="(\w+)">\s?<option(?: value="(\w+)")?>/g),
      ].map(([, input = '', select, first]): [string, string] =>
        select === undefined
          ? [readAttribute(input, 'name'), readAttribute(input, 'value')]
          : [select, first ?? ''],
      );
      return [...form.matchAll(/<button\b([^>]*)>/g)].map(([, button = '']) => {
        const name = readAttribute(button, 'name');
        const pressed = name === '' ? [] : [[name, readAttribute(button, 'value')]];
        const target = readAttribute(button, 'formaction');
        return {
          action: target === '' ? action : target,
          fields: Object.fromEntries([...fields, ...pressed]),
        };
      });
    },
  );
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
