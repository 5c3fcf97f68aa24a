import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ListEntry } from './list-entries.ts';
import { type ListFrame, readDecisionText, readListText, readTaskMarks } from './list-text.ts';
import { createKnownPeople } from './people.ts';

function readEntries(text: string, kind: ListFrame['kind'] = 'tasks', people: readonly string[] = []) {
  let skipped = 0;
  const entries = readListText(text, {
    kind,
    people: createKnownPeople(people),
    onSkipped: () => {
      skipped += 1;
    },
  });
  return { entries, skipped };
}

function read(text: string): { readonly items: readonly string[]; readonly skipped: number } {
  const { entries, skipped } = readEntries(text);
  return { items: entries.map((entry) => entry.text), skipped };
}

function readTasks(text: string, ...people: readonly string[]): readonly ListEntry[] {
  return readEntries(text, 'tasks', people).entries;
}

/** Each task as one text: its words, then `@owner`, `due day` and `#state` where it has them. */
function readMeant(text: string, ...people: readonly string[]): readonly string[] {
  return readTasks(text, ...people).map(({ text: words, owner, due, state }) => {
    const facts = [owner && `@${owner}`, due && `due ${due}`, state && `#${state}`];
    return [words, ...facts.filter((fact) => fact !== undefined)].join(' ');
  });
}

function readDecisions(text: string): readonly string[] {
  return readEntries(text, 'decisions').entries.map((entry) => entry.text);
}

describe('readListText', () => {
  it.each([
    ['bullets of every kind', '- a\n* b\n+ c\n• d\n1. e\n2) f\n- [x] g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    [
      'bullets of other scripts',
      '・a\n● b\n○c\n◦ d\n▪ e\n‣ f\n– g\n— h',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    ],
    [
      'right-aligned numbers',
      ' 1. a\n 2. b\n 3. c\n 4. d\n 5. e\n 6. f\n 7. g\n 8. h\n 9. i\n10. j',
      'abcdefghij'.split(''),
    ],
    ['numbers that start again', '1. a\n2. b\n\n1. c\n2. d', ['a', 'b', 'c', 'd']],
    ['numbers that do not count up from 1', '3. a\n5. b', ['3. a', '5. b']],
    [
      'dates',
      '1. Oktober: a\n2. november: b\n3. Quartal: c\n7. 10. 2026 d',
      ['1. Oktober: a', '2. november: b', '3. Quartal: c', '7. 10. 2026 d'],
    ],
    ['signs before numbers', '- >10 a\n+ 20 % b\n- #42 c\n- 2*3*4', ['>10 a + 20 % b', '#42 c', '2*3*4']],
    ['lines without bullets', 'a\r\n\r\nb', ['a', 'b']],
    ['an indented line', '- Send the deck\n  to the client\n- Call', ['Send the deck to the client', 'Call']],
    ['an indented line without bullets', 'Send the deck\n  to the client', ['Send the deck to the client']],
    [
      'a line that goes on',
      '- Send the deck\nto the client\n- Call',
      ['Send the deck to the client', 'Call'],
    ],
    ['an indented paragraph', '- Send the deck\n\n  to the client', ['Send the deck to the client']],
    [
      'deeper bullets',
      '- Send the deck\n  - with prices\n    - by mail\n\t- today\n- Call',
      ['Send the deck; with prices; by mail; today', 'Call'],
    ],
    [
      'deeper bullets after a colon',
      '- Prepare:\n  - a room\n  - coffee.\n  - Tell Bob',
      ['Prepare: a room; coffee. Tell Bob'],
    ],
    ['a list that is indented as a whole', '  - a\n    - b\n  - c', ['a; b', 'c']],
    ['deeper bullets of nobody', '    - a\n- b', ['a', 'b']],
    ['signs', '- a\n---\n- —\n```\n- b', ['a', 'b']],
    ['a heading', '# Plan\n- a\n## \n- b', ['a', 'b']],
    ['the name of the list', '**Action items:**\n- a', ['a']],
    ['the name of the list without bullets', 'Tasks:\na\nb', ['a', 'b']],
  ])('reads %s', (_kind, text, items) => {
    expect(read(text)).toEqual({ items, skipped: 0 });
  });

  it.each([
    ['bold lines', '**Ann**\n- Send the deck\n- Call\n\n**Bob:**\n  - Write'],
    ['bold lines without bullets', '**Ann**\nSend the deck\nCall\n\n__Bob__\nWrite'],
    ['lines with a colon', 'Ann:\n- Send the deck\n- Call\nBob：\n- Write'],
    ['brackets', '【Ann】\n・Send the deck\n・Call\n\n【Bob】\n・Write'],
    ['fields', 'Owner: Ann\n- Send the deck\n- Call\n\nOwner: Bob\n- Write'],
    [
      'HTML',
      '<p><b>Ann</b></p><ul><li>Send the deck</li><li>Call</li></ul><p><b>Bob</b></p><ul><li>Write</li></ul>',
    ],
  ])('reads owners from %s', (_kind, text) => {
    expect(readEntries(text)).toEqual({
      entries: [
        { text: 'Send the deck', owner: 'Ann' },
        { text: 'Call', owner: 'Ann' },
        { text: 'Write', owner: 'Bob' },
      ],
      skipped: 0,
    });
  });

  it.each([
    ['bullets', '- Ann Lee\n  - Send\n- **Bob:**\n  - Write\n- Call'],
    [
      'their bare names',
      'Ann Lee\n- Send\n\nBob\n- Write\n\n- Call'.replace('\n\n- Call', '\n# Tasks\n- Call'),
    ],
    ['headings', '### Ann Lee (Sales)\n- Send\n### Bob\n- Write\n### Tasks\n- Call'],
    ['signs before them', '■Ann Lee\n・Send\n◆Bob\n・Write\n■タスク\n・Call'],
  ])('knows people whom the report names, in %s', (_kind, text) => {
    expect(readTasks(text, 'Ann Lee', 'Bob Ray', 'Bob')).toEqual([
      { text: 'Send', owner: text.includes('(Sales)') ? 'Ann Lee (Sales)' : 'Ann Lee' },
      { text: 'Write', owner: 'Bob' },
      { text: 'Call' },
    ]);
  });

  it.each([
    ['bold lines', '**Send the offer**\n- Owner: Ann Lee\n- Due: 2026-07-20\n\n**Book Room**\n- Owner: Bo'],
    ['bold lines alone', '**Send the offer**\nOwner: Ann Lee\nDue: 2026-07-20\n\n**Book Room**\nOwner: Bo'],
    [
      'bullets',
      '- **Send the offer**\n  - Owner: Ann Lee\n  - Due: 2026-07-20\n- **Book Room**\n  - Owner: Bo',
    ],
    [
      'headings',
      '### Task 1: Send the offer\n- **Owner:** Ann Lee\n- **Due:** 2026-07-20\n### Book Room\nOwner: Bo',
    ],
    ['lines with a colon', 'Send the offer:\n- Owner: Ann Lee\n- Due: 2026-07-20\n\nBook Room:\n- Owner: Bo'],
    [
      'HTML',
      '<h3>Send the offer</h3><p>Owner: Ann Lee</p><p>Due: 2026-07-20</p><h3>Book Room</h3><p>Owner: Bo</p>',
    ],
  ])('takes for a task what has fields, in %s', (_kind, text) => {
    expect(
      readEntries(text).entries.map((entry) => ({ ...entry, text: entry.text.replaceAll('*', '') })),
    ).toEqual([
      { text: 'Send the offer', owner: 'Ann Lee', due: '2026-07-20' },
      { text: 'Book Room', owner: 'Bo' },
    ]);
  });

  it('shows prose beside the bullets, but not the sentence that announces them', () => {
    const prose =
      'The team agreed on these decisions.\n\n- Start: 15. Oktober\n\nAnn stimmt dagegen.\n\n3. Mai bleibt';
    expect(readEntries(prose, 'decisions')).toEqual({
      entries: [{ text: 'Start: 15. Oktober' }, { text: 'Ann stimmt dagegen.' }, { text: '3. Mai bleibt' }],
      skipped: 1,
    });
    expect(readDecisions('1. Preis bleibt\n3. Start im Mai')).toEqual(['Preis bleibt', '3. Start im Mai']);
    expect(readMeant('Send<br>Book a room<br/>Call')).toEqual(['Send', 'Book a room', 'Call']);
  });

  it.each(['Unassigned', 'Nicht zugewiesen', '未定', 'Sin asignar', 'TBD'])(
    'knows that %s is nobody',
    (nobody) => {
      expect(readMeant(`**Ann Lee**\n- a\n**${nobody}**\n- b`)).toEqual(['a @Ann Lee', 'b']);
    },
  );

  it.each(['Next week', 'High priority', 'Nächste Woche', 'Send all of this', 'Q3 2026', '今週中'])(
    'takes %j for no owner',
    (topic) => {
      expect(readTasks(`**${topic}**\n- a\n**Later**\n- b`)).toEqual([
        { text: `${topic}: a` },
        { text: 'Later: b' },
      ]);
    },
  );

  it.each([
    ['flat bullets', '1. Send\n- Owner: Ann\n- Due: 2026-07-20\n2. Call\n- Owner: Bo'],
    ['deeper bullets', '- Send\n  - **Owner:** Ann\n  - **Due**: 2026-07-20\n- Call\n  - Owner: Bo'],
    ['lines', 'Task: Send\nOwner: Ann\nDue: 2026-07-20\n\nTask: Call\nOwner: Bo'],
    ['one line', '- Send\n  Owner: Ann | Due: 2026-07-20\n- Call\n  Owner: Bo, Due: -'],
    ['German', '- Send\n- Verantwortlich: Ann\n- Frist: 2026-07-20\n- Call\n- Zuständig: Bo'],
    ['Japanese', '・Send\n　担当：Ann\n　期限：2026-07-20\n・Call\n　担当者：Bo'],
    [
      'a table',
      '| # | Task | Owner | Due |\n|--|--|--|--|\n| 1 | Send | **Ann** | 2026-07-20 |\n| 2 | Call | Bo | – |',
    ],
    [
      'a German table',
      'Nr. | Aufgabe | Wer | Bis wann\n---|---|---|---\n1 | Send | Ann | 2026-07-20\n2 | Call | Bo |',
    ],
    ['a Japanese table', '|タスク|担当者|期限|\n|-|-|-|\n|Send|Ann|2026-07-20|\n|Call|Bo||'],
    [
      'HTML',
      '<table><tr><th>Task</th><th>Owner</th><th>Due</th></tr><tr><td>Send</td><td>Ann</td><td>2026-07-20</td></tr><tr><td>Call</td><td>Bo</td><td></td></tr></table>',
    ],
  ])('reads owner and date from %s', (_kind, text) => {
    expect(readEntries(text)).toEqual({
      entries: [
        { text: 'Send', owner: 'Ann', due: '2026-07-20' },
        { text: 'Call', owner: 'Bo' },
      ],
      skipped: 0,
    });
  });

  it.each<[string, string[], string[]?]>([
    // It takes no topic for an owner where the report names people.
    [
      '**Kostenplan**\n- Send\n**Ann & Bo**\n- Call',
      ['Kostenplan: Send', 'Call @Ann & Bo'],
      ['Ann Lee', 'Bo Kim'],
    ],
    ['- **Update Website**\n  - New banner', ['**Update Website**; New banner'], ['Ann Lee']],
    // It shows labels before their entries, and as entries where none follow.
    ['## Week 1\n**Ann**\n- Send\n**Bo**\n- Call', ['Week 1: Send @Ann', 'Week 1: Call @Bo']],
    // It takes a name for the topic of tasks that have owners of their own.
    ['**Website**\n- Send\n  - Owner: Ann\n**Bo Kim**\n- Call', ['Website: Send @Ann', 'Call @Bo Kim']],
    // It takes for fields only what can be one.
    [
      '- Angebot senden\n- Termin: mit Kunde vereinbaren\n- Lead: call Acme back\n- Complete: the form',
      ['Angebot senden', 'Termin: mit Kunde vereinbaren', 'Lead: call Acme back', 'Complete: the form'],
    ],
    ['Finish all open tasks by Friday\n- Call Bo', ['Finish all open tasks by Friday', 'Call Bo']],
    [
      '|Task|Owner|Status|\n|-|-|-|\n|Send|&nbsp;|In progress|\n|Call|Ann &amp; Bo|offen|',
      ['Send · Status: In progress', 'Call @Ann & Bo'],
    ],
    // It keeps the second of two owners, and what a task has no field for.
    [
      '- Send\n  - Status: in review\n- Owner: Ann\n- Owner: Bo',
      ['Send; Status: in review @Ann', 'Owner: Bo'],
    ],
    // It knows headings and sentences that say what follows, and who and until when.
    ['## Completed tasks (2)\n- a\n## Open tasks\n- b', ['a #done', 'b']],
    ['**Erledigte Aufgaben**\n- a\n**Offene Aufgaben**\n- b', ['a #done', 'b']],
    ['These tasks are already done:\n- a', ['a #done']],
    ['## Done\n- a\n\nStill open:\n- b', ['a #done', 'b']],
    ['**Done**\n- a\n\nBo will call the customer.', ['a #done', 'Bo will call the customer.']],
    ['## Done\n### Ann Lee\n- a', ['a @Ann Lee #done']],
    ['## Ann Lee\n### Website\n- a', ['Website: a @Ann Lee']],
    ['## Ann Lee\n- a\n\n**Everyone:**\n- b', ['a @Ann Lee', 'Everyone: b']],
    ['Tasks for Ann:\n- a', ['a @Ann']],
    ['**Aufgaben für Ann Lee**\n- a', ['a @Ann Lee']],
    ['Aufgaben bis Freitag:\n- a', ['Aufgaben bis Freitag: a']],
    ['Here are the action items from the meeting:\n1. a\n2. b', ['a', 'b']],
    ['Folgende To-dos wurden vereinbart:\n- a', ['a']],
    ['以下のアクションアイテムが確認されました：\n- a', ['a']],
    ['次のタスク：\n- a', ['a']],
    ['以下の通りです。\n- a', ['a']],
    ['次回まで：\n- a', ['次回まで: a']],
    ['次回は5月に開催', ['次回は5月に開催']],
    ['次の課題を整理する', ['次の課題を整理する']],
    ['决定如下：\n- a', ['a']],
    ['タスクは以下の通りです：\n- a', ['a']],
    ['予算は以下の通り：\n- a', ['予算は以下の通り: a']],
    ['以下行动项：\n- a', ['a']],
    ['| Name | Owner | Due |\n|-|-|-|\n| a | Ann | Fri |', ['a @Ann due Fri']],
    ['| Task | Done |\n|-|-|\n| a | Yes |\n| b | no |', ['a #done', 'b']],
    ['・a\n　担当：青木　期限：7/20', ['a @青木 due 7/20']],
    ['- a\n  **Owner:** Ann **Due:** Friday', ['a @Ann due Friday']],
    [
      'Owner: Ann | Task: a | Due: Friday\nOwner: Bo | Task: b | Due: Monday',
      ['a @Ann due Friday', 'b @Bo due Monday'],
    ],
    ['- a\n- Zuständigkeit: mit Legal klären', ['a', 'Zuständigkeit: mit Legal klären']],
    ['- a\n- Deadline: extend by two weeks', ['a', 'Deadline: extend by two weeks']],
    [
      '### Task 1: a\n- **Owner:** Ann\n- **Effort:** 3 h\n- **Due:** Friday',
      ['a; **Effort:** 3 h @Ann due Friday'],
    ],
    ['- a\n\n**Owner: Ann**\n- b\n\n**Owner: Bo**\n- c', ['a', 'b @Ann', 'c @Bo']],
    ['Refund order 881 (cancelled)', ['Refund order 881 (cancelled)']],
    ['キャンセル: 会場の予約', ['キャンセル: 会場の予約']],
    ['- [x] a\n⬜ b\n  - [ ] c', ['a #done', 'b', 'c']],
    ['- a ✅\n- b', ['a ✅ #done', 'b']],
  ])('reads tasks from %j as people mean them', (text, tasks, people) => {
    const named = people ?? (text.includes('Ann Lee') ? ['Ann Lee', 'Bo Kim'] : []);
    expect(readMeant(text, ...named)).toEqual(tasks);
  });

  it.each<[string, string[]]>([
    // It shows labels before their entries, and as entries where none follow.
    [
      '### Keep the price\n- churn is low\n- customers are happy',
      ['Keep the price: churn is low', 'Keep the price: customers are happy'],
    ],
    ['### Decisions\n\n#### Keep the price\n\n#### Launch in May', ['Keep the price', 'Launch in May']],
    // It keeps the topics of decisions apart, and no owner is made of them.
    ['Ann:\n- Send\nBob:\n- Write', ['Ann: Send', 'Bob: Write']],
    ['決定事項：\n- 価格は変えない\n補足：\n- 来月見直す', ['価格は変えない', '来月見直す']],
    // It keeps what makes a decision say the opposite.
    [
      '- Cancelled: the offsite\n- ~~Hire two~~\n- [x] Ship',
      ['Cancelled: the offsite', '~~Hire two~~', 'Ship'],
    ],
    // It keeps what a label says about its decisions.
    ['## Rejected decisions\n- a', ['Rejected decisions: a']],
    ['No decisions were made on the following:\n- a', ['No decisions were made on the following: a']],
    ['## Vendor complaint\n- No further action', ['Vendor complaint: No further action']],
  ])('reads decisions from %j as people mean them', (text, decisions) => {
    expect(readDecisions(text)).toEqual(decisions);
  });

  it('counts who gave a task, and shows columns that it does not know', () => {
    const table = '| Action item | Assigned by | Effort |\n|---|---|---|\n| Send | Bo | 3 h |';
    expect(readEntries(table)).toEqual({ entries: [{ text: 'Send · Effort: 3 h' }], skipped: 1 });
    expect(readDecisions('| # | Decision | Why |\n|---|---|---|\n| 1 | Ship | It is ready |')).toEqual([
      'Ship · Why: It is ready',
    ]);
    expect(readDecisions('| Topic | Result |\n|---|---|\n| Price | stays |')).toEqual([
      'Price · Result: stays',
    ]);
  });

  it('reads how tasks ended', () => {
    const text =
      '- [x] a\n- [ ] b\n- [X] c\n- [-] d (cancelled)\n- [ ] ~~e~~\n- ~~f~~ (moved)\n☑ g\n☐ h\n- i (erledigt)\n- ~~j~~ k';
    expect(readMeant(text)).toEqual([
      'a #done',
      'b',
      'c #done',
      'd (cancelled) #cancelled',
      'e #cancelled',
      'f (moved) #cancelled',
      'g #done',
      'h',
      'i (erledigt) #done',
      '~~j~~ k',
    ]);
    const written =
      '- ✅ a\n- ✔️ b\n- [✔] c\n- d [done]\n- e – erledigt\n- DONE: f\n- [Done] g\n- 已取消：h\n- ☑️ i\n- [] j\n- [2] k';
    expect(readMeant(written)).toEqual([
      'a #done',
      'b #done',
      'c #done',
      'd [done] #done',
      'e – erledigt #done',
      'f #done',
      'g #done',
      'h #cancelled',
      'i #done',
      'j',
      '[2] k',
    ]);
    // Where every task has the sign, it is a bullet.
    expect(readMeant('✅ a\n✅ b')).toEqual(['a', 'b']);
    expect(readMeant('**Done**\n- a\n**Abgebrochen:**\n- b\n**Open**\n- c')).toEqual([
      'a #done',
      'b #cancelled',
      'c',
    ]);
    expect(readMeant('|Aufgabe|Status|\n|-|-|\n|a|erledigt|\n|b|offen|\n|c|✅|')).toEqual([
      'a #done',
      'b',
      'c #done',
    ]);
  });

  it('reads what stands in a list of JSON', () => {
    expect(readTaskMarks('- [x] Send')).toEqual({ text: 'Send', state: 'done' });
    expect(readTaskMarks('1. Oktober')).toEqual({ text: '1. Oktober' });
    expect(readTaskMarks('Send <b>it</b>')).toEqual({ text: 'Send **it**' });
    expect(readDecisionText('- [x] ~~Hire two~~')).toBe('~~Hire two~~');
  });

  it.each([
    ['before the list', 'These are the tasks of today.\n- a', ['a'], 1],
    ['as a state of nothing', '- a\n**Done**', ['a'], 1],
  ])('counts a line that is lost %s', (_place, text, items, skipped) => {
    expect(read(text)).toEqual({ items, skipped });
  });

  it.each([
    'No tasks were identified.',
    '- None',
    'None.',
    'No decisions were made.',
    'n/a',
    '—',
    '# Tasks\n\n- N/A',
    'No specific action items were assigned during this meeting.',
    'There were no decisions.',
    'None identified',
    '**None**',
    '_No action items were identified in this meeting._',
    '(none)',
    '[None]',
    'Keine Aufgaben.',
    'Es wurden keine Entscheidungen getroffen.',
    '- Keine',
    'In diesem Meeting wurden keine Beschlüsse gefasst.',
    '特になし',
    '- なし',
    '（なし）',
    '特にありませんでした。',
    '今回の会議での決定事項はありません。',
    'Aucune décision n’a été prise.',
    "Aucune tâche n'a été identifiée lors de la réunion.",
    'Ninguna',
    'No se tomaron decisiones.',
    'Nenhuma decisão foi tomada.',
    'Nessuna decisione presa.',
    'Geen actiepunten.',
    'Inga beslut fattades.',
    'Brak zadań',
    'Решений нет',
    'Nem született döntés.',
    'Karar alınmadı.',
    '없음',
    '결정 사항 없음',
    '无',
    '無決議事項',
    '特段の決定事項はなし',
    'ไม่มี',
    'لا يوجد',
    'Không có quyết định nào',
    'Keine offenen Punkte.',
    'Ninguna tarea asignada',
    '本次会议没有做出任何决定。',
    '',
  ])('finds nothing in %j', (text) => {
    expect(read(text)).toEqual({ items: [], skipped: 0 });
  });

  it.each([
    'No task may be left open',
    'No decisions without Ann',
    'None of the offers is good',
    'Nothing but the deck',
    'No meeting next week',
    'Der Termin wurde nicht vereinbart',
    'This call was not recorded',
    'Action items not yet discussed',
    'Keine Besprechung',
    'Keine Besprechung am Freitag',
    'Keine Aufgaben ohne Termin',
    '値上げなし',
    'なしの資料を送る',
    'Не менять цену',
    '没有预算',
    '没有讨论',
    '会議なし',
    '会議はなし',
    '회의 없음',
  ])('leaves %j as it is', (text) => {
    expect(read(text)).toEqual({ items: [text], skipped: 0 });
  });

  it('loses no word without saying so', () => {
    const openings = ['', '- ', '・', '* ', '1. ', '2. ', '- [ ] ', '**', '【', 'Owner: ', '| ', '---', '# '];
    const line = fc
      .tuple(
        fc.constantFrom('', ' ', '  ', '    ', '\t'),
        fc.constantFrom(...openings),
        fc.constantFrom('', ':', '：', '**', '】', ' |', '.'),
      )
      .map(
        ([indent, open, close]) =>
          (words: string) =>
            `${indent}${open}${words}${close}`,
      );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const words = lines.map((_line, index) => `w${index}w`);
        const { entries, skipped } = readEntries(
          lines.map((write, index) => write(words[index] ?? '')).join('\n'),
        );
        const items = entries.flatMap(({ text, owner = '' }) => [text, owner]);
        const headings = lines.filter((write) => write('').trim().startsWith('#')).length;
        const lost = words.filter((word) => !items.join('\n').includes(word)).length;
        expect(lost).toBeLessThanOrEqual(skipped + headings);
        expect(items.every((item) => !item.includes('\n'))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
