import type { Scene } from '../../generator/scene.ts';

/** The heads of five departments plan a quarter. */
export const quarterlyPlanning: Scene = {
  title: 'Planning the {quarter.next} quarter',
  templateName: 'project-sync',
  keywords: ['planning', '{quarter.next} quarter', '{plan.keyword}', 'hiring', 'support tickets'],
  people: { chair: 'woman', sales: 'man', product: 'woman', finance: 'man', support: 'woman' },
  slots: {
    quarter: [
      { last: 'first', next: 'second' },
      { last: 'second', next: 'third' },
      { last: 'third', next: 'fourth' },
    ],
    money: [
      { revenue: '€1.24 million', plan: '€1.18 million', over: '5%' },
      { revenue: '€2.06 million', plan: '€2 million', over: '3%' },
      { revenue: '€860,000', plan: '€800,000', over: '7.5%' },
    ],
    tickets: [
      { before: '1,420', now: '1,065', less: 'a quarter' },
      { before: '960', now: '640', less: 'a third' },
      { before: '2,000', now: '1,600', less: 'a fifth' },
    ],
    helped: ['the new start page', 'the videos in the help centre', 'the answers in the app itself'],
    plan: [
      {
        name: 'single sign-on',
        start: 'Single sign-on',
        keyword: 'single sign-on',
        why: 'Four of the six big deals we lost fell over that one question.',
        weeks: 'seven',
        risk: 'We need an outside audit before anybody is allowed to use it',
      },
      {
        name: 'offline mode',
        start: 'Offline mode',
        keyword: 'offline mode',
        why: 'Everybody who works in a basement or on a train asks for it, and that is half of our list.',
        weeks: 'nine',
        risk: 'We have never moved that much data to a phone',
      },
      {
        name: 'the new approval flow',
        start: 'The new approval flow',
        keyword: 'approvals',
        why: 'Three of our ten largest customers still print things out to have them signed.',
        weeks: 'five',
        risk: 'Every customer has somebody who wants it slightly different',
      },
    ],
    later: [
      { name: 'the dark theme', start: 'The dark theme' },
      { name: 'the second dashboard', start: 'The second dashboard' },
      { name: 'the import from spreadsheets', start: 'The import from spreadsheets' },
    ],
    hires: ['two developers', 'a developer and a designer', 'a developer and somebody for support'],
  },
  weeks: [{ talk: 2 }, { talk: 4 }, { talk: 5 }],
  chapters: [
    {
      name: 'Where we stand',
      lines: [
        'chair: Good morning, everybody. We have an hour and three questions: where do we stand, what do we build, and whom do we hire? {finance.first}, would you start with the figures?',
        'finance: Gladly. The {quarter.last} quarter brought {money.revenue}. The plan was {money.plan}, so we are {money.over} above it. Costs are where they should be.',
        'sales: And it was not one big customer. The largest deal is eight percent of that.',
        'chair: How does it look in support?',
        'support: Quieter than I expected. We had {tickets.before} tickets the quarter before and {tickets.now} now, so {tickets.less} less. I think {helped} did that.',
      ],
    },
    {
      name: 'What we build',
      lines: [
        'chair: Then to the second question. {product.first}, what do you suggest?',
        'product: One large thing instead of five small ones: {plan.name}. {plan.why}',
        'sales: I would sign that straight away. I hear about it every week.',
        'finance: How long does it take?',
        'product: About {plan.weeks} weeks with the whole team. {plan.risk}, so I would start with that part and not leave it to the end.',
        'support: What falls off the list for it?',
        'product: {later.start} waits until after that. I know that some of you will be sad about it.',
        'chair: I can live with that. Can everybody else?',
        'sales: Yes. But let me tell the two customers who wait for it, before they read it somewhere.',
      ],
    },
    {
      name: 'Whom we hire',
      lines: [
        'chair: Third question. {finance.first}, what can we afford?',
        'finance: With these figures: {hires}, from the middle of the quarter on. Not more, because the rent goes up in autumn.',
        'product: That is enough if they come soon. I have the job descriptions from last year, I only have to go over them.',
        'chair: Please do that by {talk}, then we put them online the same evening.',
        'support: I would like to be there for the interviews. The last two people we hired never met anybody from support before their first day.',
        'chair: Good point, you are in. Then we have it: {plan.name} first, {later} later, and {hires}. I will write it up for the whole company today.',
      ],
    },
  ],
  summary: [
    'The {quarter.last} quarter ended {money.over} above plan ({money.revenue} against {money.plan}). Support had {tickets.less} fewer tickets: {tickets.now} after {tickets.before}.',
    '**The {quarter.next} quarter belongs to one large thing: {plan.name}**, about {plan.weeks} weeks with the whole team. In return, {later} waits.',
    'There is money for {hires}, from the middle of the quarter on.',
  ],
  decisions: [
    '{plan.start} comes first; {later} waits until after that',
    'Hire {hires} from the middle of the quarter on',
    'Support takes part in the interviews',
  ],
  tasks: [
    { text: 'Tell the two customers who wait for {later}', owner: 'sales', due: 3, chapter: 1 },
    { text: 'Go over the job descriptions', owner: 'product', due: 'talk', chapter: 2 },
    { text: 'Write up the plan for the whole company', owner: 'chair', due: 0, chapter: 2 },
  ],
};
