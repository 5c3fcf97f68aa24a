// The world outside, in a process of its own: the service, Slack, Notion and a mail server. It is told the run's
// options, says where everything is, and answers each message with what has arrived.
import { makePlan } from '../plan.mjs';
import { startMail } from './mail.mjs';
import { startNotion } from './notion.mjs';
import { startService } from './service.mjs';
import { startSlack } from './slack.mjs';

const options = JSON.parse(process.argv[2]);
const { seed, meetings } = options;
const hangs = Math.ceil(meetings / 500);

const service = await startService(makePlan(options));
const slack = await startSlack({ seed, hangs });
const notion = await startNotion({ seed: seed + 1, hangs });
const mail = await startMail({ seed: seed + 2 });

process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  process.send({
    arrived: { ...slack.seen(), notion: notion.seen(), email: mail.seen() },
    faults: {
      slack: countFaults(slack.faults()),
      notion: countFaults(notion.faults()),
      email: countFaults(mail.faults()),
    },
    service: service.answers,
  });
});
process.send({
  serviceUrl: service.url,
  slackUrl: slack.url,
  notionUrl: notion.url,
  dataSourceId: notion.dataSourceId,
  smtpUrl: mail.url,
});

/** How often each kind of fault happened. */
function countFaults(planned) {
  const counts = {};
  for (const { fault, happened } of planned) {
    const { kind, status, error, code } = fault;
    const name = [kind, status ?? error ?? code].filter((part) => part !== undefined).join(' ');
    counts[name] = (counts[name] ?? 0) + happened;
  }
  return counts;
}
