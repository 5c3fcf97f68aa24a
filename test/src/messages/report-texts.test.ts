import { describe, expect, it } from 'vitest';

import { readAsPerson, readerNames, type ReportTexts } from './read-as-person.ts';

/** A text of a kind that meetings produce, and what is right about it at every destination. */
interface Case {
  readonly kind: string;
  readonly texts: ReportTexts;
  /** Each stands in every rendering, in this order. */
  readonly inOrder?: readonly string[];
  readonly nowhere?: readonly string[];
  /** The same for destinations that show marks and links. */
  readonly marked?: readonly string[];
}

const cases: readonly Case[] = [
  {
    kind: 'emphasis beside punctuation of East Asia',
    texts: {
      summary:
        '新料金は**「基本プラン」**から始めます。来月の**公開日（仮）**は12日です。\n\n- **担当：**青木が資料を直す\n- 한국 팀은 **요금제(베이직)**를 먼저 봅니다\n- 我们先做**试点。**然后扩大\n- **「A案」**なので**「B案」**は保留',
      decisions: '- **「基本プラン」**を先に出す',
      tasks: '- **見積（改訂版）**を送る',
    },
    nowhere: ['**'],
    marked: [
      '⟪「基本プラン」⟫から',
      '⟪公開日（仮）⟫は12日',
      '⟪担当：⟫青木が',
      '⟪요금제(베이직)⟫를',
      '⟪试点。⟫然后',
      '⟪「A案」⟫なので⟪「B案」⟫は',
      '⟪「基本プラン」⟫を先に',
      '⟪見積（改訂版）⟫を送る',
    ],
  },
  {
    kind: 'a bare address ends where text of East Asia begins',
    texts: {
      summary:
        '資料はhttps://docs.example.com/plan/2026を参照してください。\n\n手順（https://wiki.example.com/a?b=1）も読むこと。\n\n見本「https://example.org/x」と、https://example.org/y、次にhttps://example.org/z。以上\n\n参见https://example.cn/q，谢谢。 See https://example.com/ok, then (https://en.example.org/wiki/A_(b)). 한국어https://example.kr/a문서 문의는 ann@example.com으로',
      tasks: '- https://tracker.example.com/T-12を閉じる\n- 公開先：https://例え.jp/案内 を確認',
    },
    inOrder: [
      '資料は',
      'を参照してください。',
      '手順（',
      '）も読むこと。',
      '見本「',
      '」と、',
      '、次に',
      '。以上',
      '，谢谢。 See ',
      ', then (',
      ').',
      '문서',
      '문의는 ann@example.com',
      '으로',
      'を閉じる',
      '公開先：https://例え.jp/案内',
      ' を確認',
    ],
    marked: [
      'https://docs.example.com/plan/2026⟦https://docs.example.com/plan/2026⟧を',
      '⟦https://wiki.example.com/a?b=1⟧）',
      '⟦https://example.org/x⟧」',
      '⟦https://example.org/y⟧、',
      '⟦https://example.org/z⟧。',
      '⟦https://example.cn/q⟧，',
      '⟦https://example.com/ok⟧,',
      '⟦https://en.example.org/wiki/A_(b)⟧)',
      '⟦https://example.kr/a⟧문서',
      '⟦https://tracker.example.com/T-12⟧を',
      'https://例え.jp/案内⟦https://xn--r8jz45g.jp/%E6%A1%88%E5%86%85⟧',
    ],
  },
  {
    kind: 'a date or an ordinal at the begin of a line is no number of a list',
    texts: {
      summary:
        'Termine im Überblick:\n\n15. Oktober: Freigabe der Verträge.\n\n30. Oktober ist der Starttermin.\n\n- 18. september: demo\n- 2. oktober: lansering\n\n2026. 7. 10. 회의에서 다시 확인\n\n1. Quartal: Aufbau\n2. Quartal: Start\n\n7. 10. 2026: Abnahme\n\nStart war\n\n2026.',
      decisions: '15. Oktober ist der Go-live\n3. Quartal bleibt unverändert',
      tasks: '15. Oktober: Angebot verschicken\n30. November: Rechnung prüfen',
    },
    inOrder: [
      '15. Oktober: Freigabe der Verträge.',
      '30. Oktober ist der Starttermin.',
      '18. september: demo',
      '2. oktober: lansering',
      '2026. 7. 10. 회의에서',
      '1. Quartal: Aufbau',
      '2. Quartal: Start',
      '7. 10. 2026: Abnahme',
      '2026.',
      '15. Oktober ist der Go-live',
      '3. Quartal bleibt unverändert',
      '15. Oktober: Angebot verschicken',
      '30. November: Rechnung prüfen',
    ],
    nowhere: ['16. Oktober', '31. Oktober'],
  },
  {
    kind: 'an interrupted list keeps its numbers',
    texts: {
      summary:
        'Topics:\n\n1. **Budget**\n- fixed for the year\n- review in May\n2. **Hiring**\n- two roles open\n3. **Launch**\n\nSteps agreed:\n\n1. Freeze the branch\n2. Tag it\n\nThe build takes an hour.\n\n3. Publish\n4. Tell support\n\n7. Later\n\n1) Again\n2) And again',
    },
    inOrder: [
      '1. ',
      'Budget',
      'fixed',
      '2. ',
      'Hiring',
      '3. ',
      'Launch',
      '1. Freeze',
      '2. Tag',
      '3. Publish',
      '4. Tell',
      '7. Later',
      '1. Again',
      '2. And again',
    ],
  },
  {
    kind: 'comparisons keep their sign',
    texts: {
      summary:
        '2**3, n*m and k*v, 10<sup>6</sup>.\n\n>> 100 a day\n\n> ５０％ 達成\n\nTargets:\n\n- >95% uptime\n- > 50% of users on v2\n- <5% churn\n- >= € 5\n\n> 100 tickets were closed\n\n+49 is the prefix. 2*3*4 = 24. C:\\new\\(x).\n\n+ 20 % sales\n\n- > said Ann',
      decisions: '- >3 outages a month means rollback\n- <2 s page load',
      tasks: '- >10 customers to call\n- #42 to close\n- 2*3*4 layout to test',
    },
    inOrder: [
      '2**3, n*m and k*v, 10^6.',
      '>> 100 a day',
      '> ５０％ 達成',
      '>95% uptime',
      '> 50% of users on v2',
      '<5% churn',
      '>= € 5',
      '> 100 tickets were closed',
      '+49 is',
      '2*3*4 = 24',
      'C:\\new\\(x)',
      '+ 20 % sales',
      'said Ann',
      '>3 outages',
      '<2 s page load',
      '>10 customers to call',
      '#42 to close',
      '2*3*4 layout',
    ],
  },
  {
    kind: 'a name may contain an @, and an address is hidden',
    texts: {
      summary: 'Talked.',
      participants: [
        { name: 'Ann Lee @ Contoso', email: 'ann.lee@example.com' },
        { name: 'Bo Kim (@bokim)', email: 'bo.kim@partner.example' },
        { name: 'Meeting Room 3@HQ' },
        { name: 'cy@partner.example' },
      ],
      tasks: {
        actions: [
          { text: 'Send the contract', owner: 'Ann Lee @ Contoso' },
          { text: 'Review it', owner: 'Bo Kim (@bokim)' },
          { text: 'Repair the camera', owner: 'Meeting Room 3@HQ' },
          { text: 'Call', owner: 'Di Fox (di@partner.example), ed@partner.example' },
        ],
      },
      turns: [
        ['Ann Lee @ Contoso', 'I agree.'],
        ['Bo Kim (@bokim)', 'I do not.'],
        ['cy@partner.example', 'Nor do I.'],
        ['ed@partner.example', 'But I do.'],
      ],
    },
    inOrder: ['Ann Lee @ Contoso', 'Bo Kim (@bokim)', 'Meeting Room 3@HQ'],
    nowhere: ['@example.com', '@partner.example', 'Nor do I. But I do.'],
  },
  {
    kind: 'bullets of other scripts',
    texts: {
      summary: '・予算は据え置き\n・採用は二名\n　・うち一名は来月\n\n● one\n○ two\n\n– three\n– four',
      decisions: '・価格は変えない\n・公開は五月',
      tasks: '【青木】\n・資料を送る\n・見積を確認する\n\n【土井】\n・会議室を予約する',
    },
    inOrder: [
      '予算は据え置き',
      '採用は二名',
      '  • うち一名は来月',
      'one',
      'two',
      'three',
      'four',
      '価格は変えない',
      '公開は五月',
    ],
    nowhere: ['・', '【', '●', '○', '– three'],
  },
  {
    kind: 'HTML',
    texts: {
      summary:
        '<meta charset="utf-8"><b style="font-weight:normal"><p>We <b>agreed</b>:</p><ul><li>&gt;95% <i>uptime</i></li><li>two<ol><li>a</li><li>b</li></ol></li></ul><p>See <a href="https://example.com/p">the plan</a>.<br>a &lt; b &amp; c</p><foo></b>',
      decisions: '<ul><li>Ship</li><li>Wait</li></ul>',
      tasks: '<p><b>Ann Lee</b></p><ul><li>Send</li></ul>',
    },
    inOrder: [
      'We ',
      'agreed',
      '>95% ',
      'uptime',
      'two',
      '1. a',
      '2. b',
      'See the plan',
      'a < b & c',
      '<foo>',
      'Ship',
      'Wait',
    ],
    nowhere: ['<p>', '<b>', '<li>', '&lt;', '&amp;'],
    marked: ['⟪agreed⟫', 'the plan⟦https://example.com/p⟧'],
  },
  {
    kind: 'a label does not lie, and nothing is invisible',
    texts: {
      summary:
        'Log in at [https://bank.example/login](https://evil.example/x) or [bank.example](https://www.bank.example/) or [ann@bank.example](mailto:eve@evil.example) or [Login (bank.example)](https://evil.example) or [plan.pdf](https://files.example.com/1).\n\nHid\u{E0041}\u{E0042}den and re\u202Everse.',
    },
    inOrder: [
      'https://bank.example/login',
      '(evil.example)',
      'bank.example',
      '(eve@evil.example)',
      'Login (bank.example)',
      '(evil.example)',
      'plan.pdf',
      'Hidden and reverse.',
    ],
    nowhere: ['(www.bank.example)', '(files.example.com)', '\u{E0041}', '\u202E'],
  },
];

describe.each(cases)('$kind', ({ texts, inOrder = [], nowhere = [], marked = [] }) => {
  const read = readAsPerson(texts);

  it.each(readerNames)('in %s', (name) => {
    expectInOrder(read[name], inOrder);
    for (const text of nowhere) expect(read[name]).not.toContain(text);
  });

  it.each(['slack', 'notion', 'mail'] as const)('in the marks and links of %s', (name) => {
    expectInOrder(read[name].replaceAll(/⟫⟪/g, ''), marked);
  });
});

describe('tasks', () => {
  it('belong to the owners that bold lines name', () => {
    const tasks =
      '\n**Ann Lee**\nSend the offer (05:33)\nConfirm the policy (12:08)\n\n**Bo Kim**\nBook the room (16:55)\n\n**Unassigned**\nCollect questions (18:01)\n';
    const read = readAsPerson({ tasks });
    expect(read.mailText).toContain(
      'Ann Lee:\n• Send the offer (05:33)\n• Confirm the policy (12:08)\nBo Kim:\n• Book the room (16:55)\nNo owner:\n• Collect questions (18:01)',
    );
    expect(read.notion).toContain(
      'Ann Lee\n[ ] Send the offer (05:33)\n[ ] Confirm the policy (12:08)\nBo Kim\n[ ] Book the room (16:55)\nNo owner\n[ ] Collect questions (18:01)',
    );
    expect(read.slack).toContain(
      '⟪Ann Lee⟫\n• Send the offer (05:33)\n• Confirm the policy (12:08)\n⟪Bo Kim⟫\n• Book the room (16:55)\n⟪No owner⟫\n• Collect questions (18:01)',
    );
  });

  it('and decisions are read from tables by their heads', () => {
    const read = readAsPerson({
      summary: '| Topic | Owner |\n|---|---|\n| Budget | Ann |',
      decisions: '| # | Decision | Why |\n|---|---|---|\n| 1 | Ship in May | Pilot went well |',
      tasks:
        '## Action Items\n\n| # | Action item | Assigned by | Assigned to | Due Date |\n| --- | --- | --- | --- | --- |\n| 1 | Draft the tweets | Bo Kim | Ann Lee | 2026-07-20 |',
    });
    for (const name of ['slack', 'mailText'] as const) {
      expect(read[name].replaceAll(/[⟪⟫]/g, '')).toContain('Topic: Budget · Owner: Ann');
      expect(read[name]).toContain('• Ship in May · Why: Pilot went well');
      expect(read[name]).toMatch(/Ann Lee⟫?:?\n• Draft the tweets \(due 20 Jul 2026\)/);
    }
    expect(read.notion).toContain('Topic | Owner');
    expect(read.notion).toContain('Ann Lee\n[ ] Draft the tweets (due 20 Jul 2026)');
    expect(read.http).toContain('Draft the tweets\nopen\nAnn Lee\n2026-07-20\n2026-07-20');
  });

  it('that have ended are checked or struck', () => {
    const read = readAsPerson({
      tasks: '- [x] Send the offer\n- [ ] Book a room\n- [-] Old idea (cancelled)\n- [ ] ~~Print badges~~',
    });
    const struck = '• ☑ ~~Send the offer~~\n• Book a room\n• ~~Old idea (cancelled)~~\n• ~~Print badges~~';
    expect(read.slack).toContain(struck);
    expect(read.mailText).toContain(struck.replace('☑ ~~Send the offer~~', '☑ Send the offer'));
    expect(read.mail).toMatch(
      /☑ ~~Send the offer~~\s+Book a room\s+~~Old idea \(cancelled\)~~\s+~~Print badges~~/,
    );
    expect(read.notion).toContain(
      '[x] Send the offer\n[ ] Book a room\n[x] ~~Old idea (cancelled)~~\n[x] ~~Print badges~~',
    );
    expect(read.http).toMatch(/Send the offer\ndone\n[^]*Book a room\nopen\n[^]*Print badges\ncancelled/);
  });

  it.each([
    ['特になし', 'Keine Aufgaben.'],
    ['Es wurden keine Entscheidungen getroffen.', '- なし'],
    ['**None**', '_No action items were identified in this meeting._'],
    ['Aucune décision.', '없음'],
  ])('and decisions that are none are not shown: %j, %j', (decisions, tasks) => {
    const read = readAsPerson({ summary: 'x', decisions, tasks });
    for (const name of ['slack', 'notion', 'mail', 'mailText'] as const) {
      expect(read[name]).not.toMatch(/Decisions|Tasks/);
    }
  });
});

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1)
      expect.fail(
        `${JSON.stringify(part)} is missing behind ${JSON.stringify(text.slice(0, from))} in\n${text}`,
      );
    from = at + part.length;
  }
}
