import { slackMessageCode } from '../code/slack-message.ts';
import type { Order } from '../order.ts';
import { allOf, isTrue } from '../parameters.ts';
import { postToSlack, slackSettings } from '../steps/call-slack.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { setting } from '../steps/settings.ts';
import { messageNode, writeMessage } from '../steps/write-message.ts';

const body = String.raw`
const members = new Map(people);
return groupTasks(report.tasks).map(([owner, tasks]) => {
  const names = report.attendees.filter(({ name, email }) => email !== '' && name.toLowerCase() === owner.toLowerCase());
  // Two people of one name: nobody is guessed.
  const email = names.length === 1 ? names[0].email : '';
  const title = owner === '' ? 'Tasks without an owner: ' + report.title : 'Tasks of ' + owner + ': ' + report.title;
  const lines = tasks.map((task) => ({ kind: 'item', pieces: readPieces(taskLine(task)) }));
  const user = members.get(email.toLowerCase()) || members.get(owner.toLowerCase()) || '';
  const send = user !== '' || email !== '' || settings.channel !== '';
  return { json: { send, user, email, message: slackMessage(settings.channel, title, factsOf(report), [{ title: 'Tasks', lines }], link) } };
});
`;

/** A full member was found: a guest is somebody from outside, and is told only where `people` names them. */
const isMember =
  '($json.ok === true && ![$json.user.deleted, $json.user.is_bot, $json.user.is_stranger, $json.user.is_restricted, $json.user.is_ultra_restricted].includes(true))';

/** The tasks of each owner, to the owner in Slack; where there is none, to the channel `fallback`, without it to nobody. */
export function drawSlackTasks(order: Order): void {
  receiveDelivery(order, {
    ...fetchSettings,
    channel: order.text('fallback') ?? '',
    link: order.text('link') ?? '',
    ...slackSettings(order),
  });
  pickEvents(order);
  fetchReport(order);
  const people = order.pairs('people').map(([name, member]) => [name.trim().toLowerCase(), member]);
  writeMessage(order, [slackMessageCode], `const people = ${JSON.stringify(people)};\n${body.trim()}`);
  order.canvas.add({
    name: 'Find the owner in Slack',
    kind: 'http',
    credential: 'slack',
    parameters: {
      method: 'GET',
      url: `={{ ${setting('slack_api')} }}/users.lookupByEmail`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'slackApi',
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'email', value: "={{ $json.email || 'nobody@invalid' }}" }] },
      options: { redirect: { redirect: { followRedirects: false } }, timeout: 30_000 },
    },
  });
  const written = `$('${messageNode}').item.json`;
  addReach(order, written);
  const reader = `${written}.user || (${isMember} ? $json.user.id : ${written}.message.channel)`;
  postToSlack(order, `{ ...${written}.message, channel: ${reader} }`);
  order.notes.push(
    'An owner is found by the address of the participant of that name, or in the list `people` of the node "Write the message". The tasks of whoever is not found, and those without an owner, go to the channel of the settings, which everybody in it reads; where it is empty, to nobody.',
  );
}

/** Lets through what has a reader. Where Slack did not look at all, the run fails: else tasks would be lost in silence. */
function addReach({ canvas }: Order, written: string): void {
  const nobody = `['users_not_found', 'user_not_found', 'user_not_visible'].includes($json.error)`;
  canvas.add({
    name: 'Did Slack look?',
    kind: 'if',
    parameters: allOf(
      isTrue('looked', `$json.ok === true || ${written}.user !== '' || ${written}.email === '' || ${nobody}`),
    ),
  });
  canvas.add(
    {
      name: 'Slack did not look',
      kind: 'stop',
      parameters: { errorMessage: '=Slack did not look for the owner: {{ $json.error }}' },
    },
    { name: 'Did Slack look?', output: 1 },
  );
  canvas.add({
    name: 'Is somebody to be told?',
    kind: 'filter',
    parameters: allOf(
      isTrue('reader', `${isMember} || ${written}.user !== '' || ${written}.message.channel !== ''`),
    ),
  });
}
