// An active workflow behind a trigger node's webhook, over real HTTP: what n8n's server does between a request and a run.
import { createServer } from 'node:http';

import { sendResult, speakLikeExpress } from './answer-like-n8n.mjs';
import { readRequest } from './read-request.mjs';
import { wakeTrigger } from './wake-trigger.mjs';

/**
 * `url` is the address that the node itself says. `executions` fills with what the trigger started, each as the items
 * that it began with; `failed` with the errors of those that failed; `errors` with what it threw, for which n8n
 * answers 500; `kept` is the static data between requests.
 */
export async function openWebhook(engine, node, { credentials, staticData = {} }) {
  const executions = [];
  const failed = [];
  const errors = [];
  let kept = JSON.stringify(staticData);
  let base = '';
  const wake = () => wakeTrigger(engine, node, { credentials, kept, base });

  const answer = async (request, response) => {
    await readRequest(request, engine);
    const woken = wake();
    if (request.method !== woken.read('httpMethod', 'GET'))
      throw Object.assign(new Error('Not registered'), { status: 404 });
    const result = await woken.receive(request, response).catch((error) => {
      errors.push(error);
      throw new Error('Workflow Webhook Error: Workflow could not be started!');
    });
    if (result.workflowData !== undefined) {
      // What the request has changed is lost as soon as something is kept: n8n 2.41.1 forgets it when it makes the execution.
      const execution = wake();
      await execution.run(result.workflowData[0]).then(
        (items) => executions.push(items),
        (error) => failed.push(error),
      );
      kept = execution.changedData() ?? kept;
    }
    if (result.noWebhookResponse === true) return;
    response.status(woken.read('responseCode', 200));
    sendResult(response, result, woken.read('responseData', 'firstEntryJson'));
  };

  const server = createServer((request, response) => {
    speakLikeExpress(response);
    answer(request, response).catch(({ status, message }) => {
      response.status(status ?? 500).json({ code: status ?? 0, message });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}`;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return {
    url: wake().url(),
    executions,
    failed,
    errors,
    kept: () => JSON.parse(kept),
    /** As when somebody activates the workflow; throws what n8n would show. */
    activate: () => wake().activate(),
    close,
  };
}
