// The emulators, and what the recipes post to them: the same code that the worker runs, from the digest on.
import { createClient } from '../../packages/client/dist/index.js';
import { html, renderPage } from '../../packages/pages/dist/index.js';
import { createSandbox, createVendorEmulators } from '../../packages/sandbox/dist/index.js';
import { drawMessage, openDestinations, settlePolicies } from '../../recipes/dist/destinations/index.js';
import { writeAlert } from '../../recipes/dist/engine/alert-text.js';
import { expandTarget } from '../../recipes/dist/engine/recipe.js';
import { listPrebuiltRecipes } from '../../recipes/dist/index.js';
import { buildDigest } from '../../recipes/dist/report/digest.js';
import { holdMeetings, nowMs } from './sample-meeting.mjs';

const users = ['Maya Lindqvist', 'Tom Okafor', 'Priya Raman'].map((realName) => {
  const [name, family] = realName.toLowerCase().split(' ');
  return { id: `U0${name.toUpperCase()}`, name, realName, email: `${name}.${family}@example.com` };
});

const people = users.map(({ realName, email }, index) => ({
  id: `0b07a000-0000-4000-8000-00000000001${index}`,
  name: realName,
  email,
}));

/** The emulators share this process: while it computes, they do not answer. */
const patience = { timeoutMs: 10 * 60_000 };

export async function openStage() {
  const clock = () => nowMs;
  const vendors = await createVendorEmulators({
    slack: { clock, users },
    notion: { clock, people },
    mail: { clock },
  });
  const destinations = {
    slack: { token: 'xoxb-pictures', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
    notion: { token: 'ntn_pictures', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
    email: {
      smtpUrl: vendors.mail.url,
      from: 'Aftermeet <meetings@example.com>',
      to: ['maya.lindqvist@example.com'],
    },
  };
  const sandbox = createSandbox({ clock: () => nowMs - 52 * 60_000, seed: 7 });
  const { url } = await sandbox.listen();
  const client = createClient({ baseUrl: url, apiKey: 'sandbox_key' });
  const reports = await holdMeetings(sandbox, url, client);
  let drawn = [];

  /** Sends everything that a recipe makes of a meeting. */
  async function post(use, values = {}, of = reports[0]) {
    // Anew each time: they remember what a stand-in looked like before it was cleared.
    const connectors = openDestinations(destinations, {
      policies: settlePolicies({ slack: patience, notion: patience, email: patience }),
      clock,
      service: client,
    });
    const prebuilt = listPrebuiltRecipes().find(({ id }) => id === use);
    const { plan, input } = prebuilt.bind(values, destinations);
    const references = new Map();
    const label = (effect, number) => ({
      effectKey: `pictures-${use}-${number}`,
      target: effect.target,
      ...(effect.part === 0 ? {} : { parent: references.get(`${effect.target} ${effect.item}`) }),
    });
    for (const [number, { effect, rendered }] of compose(input, plan, of, reports).entries()) {
      const preparation = await connectors.prepare(rendered, label(effect, number));
      const { prepared } = preparation;
      // What may have arrived is not sent again: there would be two of it in the picture.
      const sent = prepared === undefined ? preparation : await prepared.send();
      if (sent.result !== 'sent') throw new Error(`${use}: ${sent.cause}`);
      drawn.push(await drawMessage(rendered));
      if (effect.part === 0) references.set(`${effect.target} ${effect.item}`, sent.reference);
    }
    await connectors.close();
  }

  return {
    vendors,
    client,
    reports,
    post,
    /** What was posted, as the console draws it: the newest first, each in a card. */
    renderPosted() {
      const body = html`${drawn.toReversed().map((message) => html`<article class="card">${message}</article>`)}`;
      return renderPage({ title: 'Posted', body });
    },
    clear() {
      drawn = [];
      for (const name of ['slack', 'notion', 'mail']) vendors[name].emulator.reset();
    },
    async close() {
      await vendors.close();
      await sandbox.close();
    },
  };
}

function compose(input, plan, of, reports) {
  const completion = {
    kind: 'meeting.completed',
    meetingId: of.meetingId,
    title: of.title,
    isTranscriptEmpty: false,
    occurrence: '2026-07-07T12:15:00Z',
    endpoint: 'default',
    receivedAt: '2026-07-07T12:15:01Z',
  };
  if (input.from === 'event') {
    const failure = {
      ...completion,
      kind: 'meeting.failed',
      isTranscriptEmpty: undefined,
      reason: 'The bot was not admitted to the meeting.',
    };
    const rendered = input.render(writeAlert(failure), 3);
    return plan(failure).map((effect) => ({ effect, rendered }));
  }
  if (input.from === 'period') {
    const digests = reports.toReversed().map((each) => ({ digest: buildDigest(each) }));
    const period = { fromMs: Date.parse('2026-07-06T16:00:00Z'), toMs: Date.parse('2026-07-07T16:00:00Z') };
    const rendered = input.render(digests, period);
    const due = { ...completion, since: '2026-07-06T16:00:00Z', occurrence: '2026-07-07T16:00:00Z' };
    return plan(due).map((effect) => ({
      effect,
      rendered,
    }));
  }
  const digest = buildDigest(of, { withTranscript: true });
  const spread = (effect) => input.expand?.(digest, effect) ?? [];
  return plan(completion)
    .flatMap((effect) => [effect, ...spread(effect).flatMap((next) => [next, ...spread(next)])])
    .filter(({ target }) => target !== expandTarget)
    .map((effect) => ({ effect, rendered: input.render(digest, effect) }))
    .filter(({ rendered }) => !('skip' in rendered));
}
