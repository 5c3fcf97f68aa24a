import type { Scene } from '../../generator/scene.ts';

/** A first interview, with questions in both directions. */
export const hiringInterview: Scene = {
  title: 'Interview: {role}',
  templateName: 'hr-interview',
  keywords: ['interview', '{role}', 'notice period', 'salary', '{role.team}'],
  people: { lead: 'woman', peer: 'man', candidate: 'woman' },
  slots: {
    role: [
      {
        name: 'Backend developer',
        team: 'payments',
        start: 'refunds',
        work: 'the service that sends out the invoices',
      },
      {
        name: 'Data engineer',
        team: 'analytics',
        start: 'the nightly load',
        work: 'the stock figures of forty shops',
      },
      {
        name: 'Site reliability engineer',
        team: 'platform',
        start: 'the on-call tools',
        work: 'two data centres and everything that runs there',
      },
    ],
    employer: ['Northgate Pharmacies', 'Calder Books', 'Millbrook Energy'],
    tenure: ['three', 'four', 'six'],
    lost: ['310', '480', '1,200'],
    incident: [
      {
        story:
          'A clean-up job deleted {lost} live orders one night, because two time zones were mixed up. I stopped the job, restored the orders from the backup and rang the biggest customers myself the next morning.',
        lesson:
          "I'd let such a job count before it deletes, and stop when the number looks odd. We built exactly that afterwards.",
        short: 'a clean-up job that had deleted {lost} live orders',
      },
      {
        story:
          'We sent {lost} customers the same invoice twice. I switched the queue off, wrote an apology together with our accountant, and only then went looking for the cause.',
        lesson:
          "I'd give every message a number of its own from the start, so that the second one can't do any harm. We do that now.",
        short: 'invoices that {lost} customers had received twice',
      },
      {
        story:
          'A certificate ran out on a Sunday, and {lost} tills could not take cards any more. I renewed it by hand from a train, and spent Monday finding the other eleven that nobody watched.',
        lesson:
          "I'd rather have a machine that nags than a calendar entry of somebody who has left. That's what we have now.",
        short: 'a forgotten certificate that had stopped {lost} tills',
      },
    ],
    notice: [
      { name: 'six weeks', start: 'within two months' },
      { name: 'three months', start: 'in a little over three months' },
      { name: 'four weeks', start: 'next month' },
    ],
    salary: ['£58,000', '£64,000', '£71,000'],
    office: ['two', 'three'],
  },
  weeks: [{ answer: 5 }, { answer: 4 }, { answer: 2 }],
  chapters: [
    {
      name: 'Background',
      lines: [
        "lead: Thanks for coming in, {candidate.first}. I'm {lead.first}, I run the {role.team} team, and {peer.first} would be sitting next to you. Would you start with what you're doing at the moment?",
        "candidate: Sure. I've been at {employer} for {tenure} years. I began in support, actually, and moved over to engineering after the first year. These days I look after {role.work}.",
        'peer: How big is the team?',
        'candidate: Five of us, and a designer we share with two other teams.',
        'lead: And why would you like to leave?',
        "candidate: I don't dislike it there. But we've been looking after the same thing for two years, and I'd like to build something from the start again.",
      ],
    },
    {
      name: 'A bad day at work',
      lines: [
        'peer: Could you tell me about something that went badly wrong, and what you did?',
        'candidate: {incident.story}',
        'peer: And what would you do differently today?',
        'candidate: {incident.lesson}',
        'peer: I like that. And I like that you rolled up your sleeves before you looked for somebody to blame.',
      ],
    },
    {
      name: 'The job and what comes next',
      lines: [
        'candidate: May I ask what the first three months would look like?',
        "lead: In the first month you'd work in a pair with {peer.first}. After that you'd own {role.start}. We're in the office {office} days a week, the rest is up to you.",
        'candidate: That suits me. My notice period is {notice}, so I could start {notice.start}.',
        'lead: What do you have in mind for the salary?',
        "candidate: {salary}. I'm happy to talk about it if everything else fits.",
        "lead: That's within our range. You'll hear from me by {answer}, either way.",
        "peer: And I'll send you the exercise tonight. Please don't spend more than two hours on it, we mean that.",
        "candidate: Thank you both. I'm looking forward to it.",
        "lead: {peer.first}, would you write down your impressions today, while they're fresh?",
        'peer: Sure, right after lunch.',
      ],
    },
  ],
  summary: [
    '{candidate} has been at {employer} for {tenure} years and looks after {role.work}. She wants to build something new.',
    'She spoke openly about {incident.short}: first help the customers, then find the cause, then make sure that it cannot happen again.',
    'She asks for {salary}, which is within the range, and could start {notice.start}. **She gets an answer by {answer}.**',
  ],
  decisions: [
    'The wish of {salary} is within the range',
    '{candidate} gets an answer by {answer}, either way',
  ],
  tasks: [
    { text: 'Give {candidate} an answer', owner: 'lead', due: 'answer', chapter: 2 },
    { text: 'Send {candidate} the exercise', owner: 'peer', due: 0, chapter: 2 },
    { text: 'Write down the impressions of the interview', owner: 'peer', due: 0, chapter: 2 },
  ],
};
