import type { Destinations } from '../destinations.ts';
import { usualOutbox } from '../email/draft-box.ts';
import type { ConfiguredRecipe } from '../recipe.ts';
import { checkFolder } from './check-folder.ts';
import { checkHttpAddress } from './check-http-address.ts';
import { checkDkim, checkMailbox, checkMailServer, checkOwnPeople } from './check-mail.ts';
import { checkNotion } from './check-notion.ts';
import type { CheckResult } from './check-result.ts';
import { checkSlack } from './check-slack.ts';
import { listNeeds } from './list-needs.ts';

/**
 * Asks every destination that is configured whether it works, and looks at folders and addresses of recipes. Nothing
 * is sent or written. Each promise settles by itself, and never rejects; `timeoutMs` bounds each call.
 */
export function checkDestinations(
  destinations: Destinations,
  recipes: readonly ConfiguredRecipe[],
  timeoutMs: number,
): readonly Promise<readonly CheckResult[]>[] {
  const { slack, notion, mail } = destinations;
  const needs = listNeeds(recipes, destinations);
  return [
    ...(slack === undefined ? [] : [checkSlack(slack, needs.slack, timeoutMs)]),
    ...(notion === undefined ? [] : needs.notion.map((need) => alone(checkNotion(notion, need, timeoutMs)))),
    ...(mail === undefined ? [] : [alone(checkMailServer(mail, timeoutMs))]),
    ...(mail === undefined ? [] : [Promise.resolve(checkOwnPeople(mail))]),
    ...(mail?.dkim === undefined ? [] : [Promise.resolve([checkDkim(mail.dkim)])]),
    ...(mail?.imap === undefined ? [] : [alone(checkMailbox(mail.imap, timeoutMs))]),
    ...(mail !== undefined && needs.hasDrafts
      ? [alone(checkFolder('outbox of drafts', mail.outbox ?? usualOutbox, { isMade: true }))]
      : []),
    ...needs.http.map((need) => alone(checkHttpAddress(need, timeoutMs))),
    ...needs.folders.map(({ recipe, folder }) => alone(checkFolder(`folder of ${recipe}`, folder))),
  ];
}

async function alone(check: Promise<CheckResult>): Promise<readonly CheckResult[]> {
  return [await check];
}
