import type { Inbox, Log } from '@aftermeet/queue';
import type { Request, Response, Router } from 'express';

import type { DeliveryCounts } from '../delivery-tally.ts';
import { readField, readQuery } from './access.ts';
import type { ConsoleAction, ConsoleData, ReplayChoice } from './console-data.ts';
import {
  renderApprovals,
  renderAttention,
  renderDone,
  renderEffect,
  renderHeld,
  renderMessagePage,
  renderNotThere,
  renderReplay,
  renderReplayForm,
  renderWaiting,
} from './effect-pages.ts';
import { type Frame, renderRefusal } from './frame.ts';
import {
  renderMeeting,
  renderMeetingRecipes,
  renderMeetings,
  renderRecipes,
  renderUnknown,
} from './meeting-pages.ts';
import { renderOverview } from './overview-page.ts';
import { listRecent } from './refusals.ts';
import { renderSuppressions } from './suppression-page.ts';

const MAX_ROWS = 50;

/** A mail is a page of its own: it may have a style, loads nothing, and stands in a frame of the console alone. */
const mailHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
  'X-Frame-Options': 'SAMEORIGIN',
} as const;

/** Pages that show changes as they happen have a script of this origin. */
const livePolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Mails stand in frames without script, and bring their own style. */
const previewPolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface PageTools {
  readonly readData: () => Promise<ConsoleData>;
  readonly inbox: Pick<Inbox, 'listRefusals'>;
  readonly readCounts: () => DeliveryCounts;
  readonly log: Log;
  readonly nowMs: () => number;
}

/** The pages and the forms of the console, for operators who are known. */
export function addPages(router: Router, { readData, inbox, readCounts, log, nowMs }: PageTools): void {
  router.get('/', async (request, response) => {
    const data = await readData();
    const words = readQuery(request, 'words').slice(0, 200);
    const day = readQuery(request, 'day');
    const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
    const after = readQuery(request, 'after');
    const list = await data.listMeetings({
      words,
      limit: MAX_ROWS,
      ...(isDay ? { day } : {}),
      ...(after === '' ? {} : { after }),
    });
    sendLive(response, renderMeetings(frameOf(response), list, { words, day: isDay ? day : '' }));
  });
  router.get('/meetings/:id', async (request, response) => {
    const data = await readData();
    const { id } = request.params;
    const meeting = await data.readMeeting(id);
    if (meeting === undefined) await answerUnknown(response, 'meeting', id);
    else sendLive(response, renderMeeting(frameOf(response), meeting));
  });
  router.get('/meetings/:id/recipes', async (request, response) => {
    const data = await readData();
    const { id } = request.params;
    const preview = await data.previewMeeting(id);
    if (preview === undefined) {
      await answerUnknown(response, 'meeting', id);
      return;
    }
    log.info({ meetingId: id, who: whoIs(response) }, 'the messages of a meeting were shown in the console');
    response.set('Content-Security-Policy', previewPolicy);
    response.send(renderMeetingRecipes(frameOf(response), id, preview));
  });
  router.get('/attention', async (_request, response) => {
    const data = await readData();
    const refused = listRecent(readCounts(), nowMs());
    sendLive(response, renderAttention(frameOf(response), await data.listAttention(MAX_ROWS), refused));
  });
  router.get('/waiting', async (_request, response) => {
    const data = await readData();
    sendLive(response, renderWaiting(frameOf(response), await data.listWaiting(MAX_ROWS)));
  });
  router.get('/overview', async (_request, response) => {
    const data = await readData();
    const [overview, refusals] = await Promise.all([data.readOverview(), inbox.listRefusals(MAX_ROWS)]);
    const lines = refusals.map(({ endpoint, reason, receivedAt }) => ({
      endpoint,
      cause: reason,
      atMs: Date.parse(receivedAt),
    }));
    sendLive(response, renderOverview(frameOf(response), overview, { stored: lines, counts: readCounts() }));
  });
  router.get('/recipes', async (_request, response) => {
    const data = await readData();
    response.send(renderRecipes(frameOf(response), await data.listRecipes()));
  });
  router.get('/effects/:key', async (request, response) => {
    const data = await readData();
    const { key } = request.params;
    const effect = await data.readEffect(key);
    if (effect === undefined) await answerUnknown(response, 'effect', key);
    else response.send(renderEffect(frameOf(response), effect));
  });
  router.get('/approvals', async (_request, response) => {
    const data = await readData();
    sendLive(response, renderApprovals(frameOf(response), await data.listHeld(MAX_ROWS)));
  });
  router.get('/approvals/:key', async (request, response) => {
    const data = await readData();
    const { key } = request.params;
    const message = await data.readMessage(key);
    if (message === undefined) await answerUnknown(response, 'effect', key);
    else response.send(renderHeld(frameOf(response), message));
  });
  router.get('/effects/:key/message', async (request, response) => {
    const data = await readData();
    const { key } = request.params;
    const message = await data.readMessage(key);
    if (message === undefined) await answerUnknown(response, 'effect', key);
    else {
      log.info({ effectKey: key, who: whoIs(response) }, 'a message was shown in the console');
      response.send(renderMessagePage(frameOf(response), message));
    }
  });
  router.get('/effects/:key/there', async (request, response) => {
    const data = await readData();
    const { key } = request.params;
    const place = await data.locate(key);
    if (place === undefined) await answerUnknown(response, 'effect', key);
    else if ('problem' in place) response.send(renderNotThere(frameOf(response), key, place.problem));
    else response.redirect(303, place.url);
  });
  router.get('/effects/:key/mail', async (request, response) => {
    const data = await readData();
    const { html: body } = (await data.readMessage(request.params.key)) ?? {};
    if (body === undefined) await answerUnknown(response, 'mail', request.params.key);
    else response.set(mailHeaders).type('html').send(body);
  });
  router.get('/meetings/:id/replay', async (request, response) => {
    await replay(response, { meetingId: request.params.id }, true);
  });
  router.post('/meetings/:id/replay', async (request, response) => {
    await replay(response, { meetingId: request.params.id }, false);
  });
  router.get('/replay', async (request, response) => {
    const [from, until] = [readQuery(request, 'from'), readQuery(request, 'until')];
    const range = readRange(from, until);
    if (range !== undefined) await replay(response, range, true);
    else {
      const isAsked = from !== '' || until !== '';
      response.send(
        renderReplayForm(frameOf(response), isAsked ? 'Give two times, the earlier one first.' : undefined),
      );
    }
  });
  router.post('/replay', async (request, response) => {
    const range = readRange(readField(request, 'from'), readField(request, 'until'));
    if (range === undefined)
      response.status(400).send(renderRefusal('Refused', 'This range of time cannot be read.'));
    else await replay(response, range, false);
  });

  async function replay(response: Response, choice: ReplayChoice, isDryRun: boolean): Promise<void> {
    const data = await readData();
    const who = whoIs(response);
    const view = await data.replay(choice, { isDryRun, who });
    if (!isDryRun) log.info({ ...choice, deliveries: view.deliveries, who }, 'replayed in the console');
    const form =
      'meetingId' in choice
        ? {
            title: `Replay of the meeting ${choice.meetingId}`,
            action: `/console/meetings/${encodeURIComponent(choice.meetingId)}/replay`,
            fields: {},
          }
        : {
            title: `Replay of ${writeMinute(choice.fromMs)} to ${writeMinute(choice.toMs)} UTC`,
            action: '/console/replay',
            fields: { from: writeMinute(choice.fromMs), until: writeMinute(choice.toMs) },
          };
    response.send(renderReplay(frameOf(response), view, { ...form, isDone: !isDryRun }));
  }

  router.get('/suppressed', async (_request, response) => {
    response.send(renderSuppressions(frameOf(response), await (await readData()).listSuppressed()));
  });
  router.post('/suppressed/:change', async (request, response) => {
    const { change } = request.params;
    if (change !== 'add' && change !== 'remove') {
      await answerUnknown(response, 'action', change);
      return;
    }
    const data = await readData();
    const meetingId = readField(request, 'meeting');
    const whom = { address: readField(request, 'address'), ...(meetingId === '' ? {} : { meetingId }) };
    const who = whoIs(response);
    const problem = await data.changeSuppressed(whom, { isSuppressed: change === 'add', who });
    if (problem === undefined) log.info({ change, who }, 'the suppression list was changed in the console');
    response.status(problem === undefined ? 200 : 400);
    response.send(renderSuppressions(frameOf(response), await data.listSuppressed(), problem));
  });
  router.post('/effects/:key/:action', async (request, response) => {
    const { key, action } = request.params;
    const who = whoIs(response);
    if (action === 'dismiss') {
      await act(response, { effectKey: key, kind: action, reason: readField(request, 'reason'), who });
    } else if (isPlainAction(action)) {
      await act(response, { effectKey: key, kind: action, who });
    } else await answerUnknown(response, 'action', action);
  });
  router.post('/approvals/:key/discard', async (request, response) => {
    await act(response, { effectKey: request.params.key, kind: 'discard', who: whoIs(response) });
  });
  router.post('/approvals/:key/approve', async (request, response) => {
    await act(response, {
      effectKey: request.params.key,
      kind: 'approve',
      contentHash: readField(request, 'content'),
      fields: { to: readField(request, 'to'), subject: readField(request, 'subject') },
      draft: { to: readField(request, 'draft_to'), subject: readField(request, 'draft_subject') },
      who: whoIs(response),
    });
  });

  async function act(response: Response, action: ConsoleAction): Promise<void> {
    const data = await readData();
    const effect = await data.readEffect(action.effectKey);
    const sentence = effect === undefined ? undefined : await data.act(action);
    if (sentence === undefined) {
      await answerUnknown(response, 'effect', action.effectKey);
      return;
    }
    log.info({ effectKey: action.effectKey, action: action.kind, who: action.who }, 'done in the console');
    response.send(renderDone(frameOf(response), sentence, effect));
  }

  async function answerUnknown(response: Response, what: string, name: string): Promise<void> {
    const data = await readData();
    response.status(404).send(renderUnknown(frameOf(response), what, name.slice(0, 200), data.queueName));
  }

  router.use(async (request: Request, response: Response) => {
    await answerUnknown(response, 'page', request.path);
  });
}

function sendLive(response: Response, text: string): void {
  response.set('Content-Security-Policy', livePolicy).send(text);
}

/** A middleware before every page has set it. */
export function frameOf(response: Response): Frame {
  const frame: Frame = response.locals['frame'];
  return frame;
}

function whoIs(response: Response): string {
  const { session } = frameOf(response);
  if (session === undefined) return 'the console (token)';
  return `the console (${session.user ?? `session ${session.label}`})`;
}

const minutePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Two times in UTC to the minute: `2026-07-07T14:03`. */
function readRange(
  from: string,
  until: string,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  if (!minutePattern.test(from) || !minutePattern.test(until)) return undefined;
  const [fromMs, toMs] = [Date.parse(`${from}Z`), Date.parse(`${until}Z`)];
  return fromMs <= toMs ? { fromMs, toMs } : undefined;
}

function writeMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

const plainActions = ['retry', 'resend', 'recall', 'sent', 'not-sent'] as const;

function isPlainAction(action: string): action is (typeof plainActions)[number] {
  return plainActions.some((one) => one === action);
}
