import { html } from '@aftermeet/pages';
import express, { type Request, type Response, type Router } from 'express';

import { readField } from './access.ts';
import { createLinkPage, type LinkPageTools } from './link-page.ts';

/**
 * `/unsubscribe/TOKEN`: where the link in each mail leads. A look changes nothing, because mail programs open links by
 * themselves. A POST unsubscribes: of the page's buttons, or of a mail program's own one (RFC 8058).
 */
export function addUnsubscribePage(router: Router, { readData, log }: LinkPageTools): void {
  const { takePlace, render, renderSentence } = createLinkPage(router, '/unsubscribe');
  const refuse = (response: Response): void => {
    response.status(404);
    response.send(
      renderSentence('No such link', 'This link is not known here: take the whole link of the mail.'),
    );
  };

  router.get('/:token', takePlace, async (request: Request<{ token: string }>, response: Response) => {
    const found = await (await readData()).findSubscription(request.params.token);
    if (found === undefined) {
      refuse(response);
      return;
    }
    const { address, hasMeeting, suppressedFor } = found;
    const body =
      suppressedFor === undefined
        ? html`<p>Mails and direct messages about meetings go to ${address}.</p>
            <form method="post">
              <button class="button primary" name="for" value="all">Stop all of them</button>
            </form>
            ${
              hasMeeting &&
              html`<form method="post">
                <button class="button" name="for" value="meeting">
                  Stop those about this meeting and its series
                </button>
              </form>`
            }`
        : html`<p role="status">${describe(suppressedFor, address)}</p>
            <form method="post">
              <button class="button" name="again" value="${suppressedFor}">Send them again</button>
            </form>`;
    response.send(render('Unsubscribe', body));
  });

  router.post(
    '/:token',
    express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 4 }),
    takePlace,
    async (request: Request<{ token: string }>, response: Response) => {
      const { token } = request.params;
      const again = readField(request, 'again');
      const scope = again === '' ? readField(request, 'for') : again;
      const data = await readData();
      const change = { isSuppressed: again === '', isForMeetingOnly: scope === 'meeting' };
      if (!(await data.changeSubscription(token, change))) {
        refuse(response);
        return;
      }
      log.info({ ...change }, 'a subscription was changed by the link in a mail');
      const found = await data.findSubscription(token);
      const address = found?.address ?? 'your address';
      const sentence = change.isSuppressed
        ? describe(change.isForMeetingOnly ? 'meeting' : 'all', address)
        : `Mails and direct messages go to ${address} again.`;
      response.send(renderSentence('Done', sentence));
    },
  );
  router.use((_request, response) => refuse(response));
}

function describe(suppressedFor: 'all' | 'meeting', address: string): string {
  const what = suppressedFor === 'all' ? '' : ' about this meeting and its series';
  return `No mail and no direct message${what} goes to ${address} any more.`;
}
