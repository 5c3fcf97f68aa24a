import { html } from '@aftermeet/pages';
import express, { type Request, type Response, type Router } from 'express';

import { readField } from './access.ts';
import { renderTime } from './frame.ts';
import { createLinkPage, type LinkPageTools } from './link-page.ts';

/**
 * `/approve/TOKEN`: where the link in a mail to an approver leads. A look changes nothing, because mail programs open links
 * by themselves; the button approves what the page shows. It can do nothing else, and leads nowhere else.
 */
export function addApprovePage(router: Router, { readData, log }: LinkPageTools): void {
  const { takePlace, render, renderSentence } = createLinkPage(router, '/approve');
  const refuse = (response: Response): void => {
    response.status(404);
    const sentence =
      'This link is not known, or its time is over. What still waits is in the console under Approvals.';
    response.send(renderSentence('No such link', sentence));
  };

  router.get('/:token', takePlace, async (request: Request<{ token: string }>, response: Response) => {
    const data = await readData();
    const approval = await data.findApproval(request.params.token);
    const message = approval && (await data.readMessage(approval.effectKey));
    if (approval === undefined || message === undefined) {
      refuse(response);
      return;
    }
    const { effect, to, subject, text, contentHash, problem } = message;
    const isWaiting = effect.actions.includes('review');
    response.send(
      render(
        subject ?? 'A message that waits for approval',
        html`${!isWaiting && html`<p class="notice">It does not wait for approval any more: it is ${effect.state}.</p>`}
        ${problem !== undefined && html`<p class="notice">It cannot be shown: ${problem}.</p>`}
        ${
          isWaiting &&
          html`<p>To ${to}</p>
            <pre class="card">${text}</pre>
            ${
              contentHash !== undefined &&
              html`<form method="post">
                <input type="hidden" name="content" value="${contentHash}" />
                <button class="button primary">Approve: send exactly this</button>
              </form>`
            }
            <p class="soft small">
              The link can be used until ${renderTime(approval.expiresAtMs)}. To change or discard the mail,
              use the console.
            </p>`
        }`,
      ),
    );
  });

  router.post(
    '/:token',
    express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 4 }),
    takePlace,
    async (request: Request<{ token: string }>, response: Response) => {
      const data = await readData();
      const approval = await data.findApproval(request.params.token);
      const contentHash = readField(request, 'content');
      if (approval === undefined) {
        refuse(response);
        return;
      }
      // Without it an approval would count for whatever is sent.
      if (!/^[0-9a-f]{64}$/.test(contentHash)) {
        response.status(400).send(renderSentence('Refused', 'This form is not of this page: load it again.'));
        return;
      }
      const { effectKey, who } = approval;
      const fields = { to: '', subject: '' };
      const sentence = await data.act({
        kind: 'approve',
        effectKey,
        who,
        contentHash,
        fields,
        draft: fields,
      });
      log.info({ effectKey, action: 'approve' }, 'answered by a link in a mail');
      if (sentence === undefined) refuse(response);
      else response.send(renderSentence('Done', `${sentence}.`));
    },
  );
  router.use((_request, response) => refuse(response));
}
