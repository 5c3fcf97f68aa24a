import type { Scene } from '../../generator/scene.ts';

/** A team looks back at two weeks. */
export const retrospective: Scene = {
  title: 'Retrospective: sprint {sprint}',
  templateName: 'team-sync',
  keywords: ['retrospective', 'sprint {sprint}', '{bad.keyword}', 'dates', 'team page'],
  people: { host: 'woman', dev: 'man', tester: 'woman', designer: 'man' },
  slots: {
    sprint: ['14', '18', '23', '31', '42'],
    count: [
      { done: '17', planned: '19' },
      { done: '14', planned: '15' },
      { done: '21', planned: '24' },
    ],
    good: [
      {
        said: 'The new build takes four minutes instead of eleven. I notice it every single day.',
        short: 'the build takes four minutes instead of eleven',
      },
      {
        said: "We looked at each other's work on the same day, nearly always. I can't remember that from last autumn.",
        short: 'work is reviewed on the same day',
      },
      {
        said: 'Small releases are a success. We went out five times, and nobody had to stay late for it.',
        short: 'five small releases went out without overtime',
      },
    ],
    bad: [
      {
        keyword: 'test system',
        short: 'the test system was down every other day',
        said: 'The test system was down every other day, and each time I had to find somebody who knew how to start it.',
        cause: 'I set it up in spring and never wrote anything down.',
        days: 'three',
        fix: 'The test system gets a page that says how to start it, and a script that does it',
        task: 'Write the page and the script that start the test system',
      },
      {
        keyword: 'waiting stories',
        short: 'stories reached testing on the last afternoon',
        said: 'The stories came to me on the last afternoon. On the second Thursday I had seven of them on my desk.',
        cause: 'I tend to keep a branch until everything is in it.',
        days: 'four',
        fix: 'A story comes over to me the day it is done, and the board turns red when one is older than two days',
        task: 'Let the board turn red when a story waits for more than two days',
      },
      {
        keyword: 'release branch',
        short: 'the same bug came back three times',
        said: 'We had the same bug three times, because the fix went into one branch and the release came out of another.',
        cause: 'I merged into the wrong one, twice.',
        days: 'two',
        fix: 'There is one release branch, and the build refuses every other',
        task: 'Let the build refuse every branch but the release branch',
      },
    ],
  },
  weeks: [{ fix: 2 }, { fix: 3 }, { fix: 4 }],
  chapters: [
    {
      name: 'What went well',
      lines: [
        "host: Right, two weeks are over. Same rules as always: what went well, what didn't, and what we change. Who would like to start?",
        "dev: I'll go first. {good.said}",
        'tester: I feel the same. We closed {count.done} of {count.planned} stories, and nothing came back from customers in the first week.',
        'designer: For me it was the short call in the morning. Ten minutes, and I always knew what to draw next.',
      ],
    },
    {
      name: 'What was hard',
      lines: [
        'host: And what was hard?',
        'tester: {bad.said}',
        "dev: That's true, and it's partly my fault. {bad.cause}",
        'host: How much time did we lose?',
        'tester: About {bad.days} days, if I add it all up.',
        'designer: What annoyed me was something else. Three times I heard from a customer that one of our dates had moved. I would rather hear it from us.',
        'host: Fair enough. That one is on me, I know.',
      ],
    },
    {
      name: 'What we change',
      lines: [
        "host: Let's pick two things, not ten. {tester.first}, what's yours?",
        'tester: {bad.fix}. That alone would have saved us most of it.',
        'dev: I can take care of that. Is {fix} early enough?',
        'tester: {fix} is fine.',
        'designer: And mine is: whoever moves a date writes it into the channel on the same day.',
        "host: Any objections? No? Then that's agreed. I'll put both on the team page today, and in two weeks we look whether it helped.",
      ],
    },
  ],
  summary: [
    'The team closed {count.done} of {count.planned} stories. What helped: {good.short}.',
    '**What cost time: {bad.short}**, about {bad.days} days in all. Dates that moved reached the designer through customers.',
    'Two things change, and in two weeks the team looks whether they helped.',
  ],
  decisions: ['{bad.fix}', 'Whoever moves a date writes it into the channel on the same day'],
  tasks: [
    { text: '{bad.task}', owner: 'dev', due: 'fix', chapter: 2 },
    { text: 'Put both changes on the team page', owner: 'host', due: 0, chapter: 2 },
    { text: 'Check whether the changes helped', owner: 'host', due: 14, chapter: 2 },
  ],
};
