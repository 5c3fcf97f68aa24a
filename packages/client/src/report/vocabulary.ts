/**
 * Words by which people and language models name the parts of a list of tasks or decisions, in the languages that meetings
 * are held in. A word that is missing costs structure, never text: what is not known is shown as it is written.
 */

/** What a line or the column of a table says about a task. */
export type Field = 'owner' | 'due' | 'state' | 'text' | 'other';

/** How a task ended. */
export type TaskState = 'done' | 'cancelled';

/** Without case, marks, and what differs between two writings of one name. */
export function foldWords(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}#№]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

const MAX_NAME_LENGTH = 200;

/** Splits a table of words: a line for each language, words separated by commas. */
export function wordsOf(table: string): readonly string[] {
  return table
    .split(/[,\n]/)
    .map(foldWords)
    .filter((word) => word !== '');
}

const taskWords = wordsOf(`
  task, tasks, action, actions, action item, action items, to do, todo, to dos, todos, next step, next steps
  Aufgabe, Aufgaben, Maßnahme, Maßnahmen, nächste Schritte, Aktionspunkte, offene Punkte
  tâche, tâches, action, actions à mener, prochaines étapes, points d'action
  tarea, tareas, acción, acciones, próximos pasos, puntos de acción
  tarefa, tarefas, ação, ações, próximos passos, itens de ação
  attività, compito, compiti, azione, azioni, prossimi passi
  taak, taken, actie, acties, actiepunt, actiepunten, volgende stappen
  uppgift, uppgifter, åtgärd, åtgärder, nästa steg, opgave, opgaver, oppgave, oppgaver, handling, næste skridt, neste steg
  tehtävä, tehtävät, toimenpide, toimenpiteet, seuraavat askeleet
  zadanie, zadania, działanie, działania, kolejne kroki, následující kroky, úkol, úkoly, úloha, úlohy
  feladat, feladatok, teendő, teendők, következő lépések
  görev, görevler, aksiyon, aksiyonlar, yapılacaklar, sonraki adımlar
  задача, задачи, поручение, поручения, действия, следующие шаги, завдання, доручення, наступні кроки
  タスク, アクション, アクションアイテム, 課題, 宿題, 対応事項, やること, ネクストアクション, 次のステップ
  任务, 任務, 行动, 行动项, 行動項目, 待办, 待办事项, 待辦事項, 下一步
  작업, 할 일, 할일, 과제, 액션 아이템, 다음 단계, 실행 항목
`);

const decisionWords = wordsOf(`
  decision, decisions, key decision, key decisions, resolution, resolutions, decisions made
  Entscheidung, Entscheidungen, Beschluss, Beschlüsse
  décision, décisions, décisions prises
  decisión, decisiones, acuerdo, acuerdos
  decisão, decisões
  decisione, decisioni
  besluit, besluiten, beslissing, beslissingen
  beslut, beslutning, beslutninger, vedtak
  päätös, päätökset
  decyzja, decyzje, ustalenia, rozhodnutí, rozhodnutie, rozhodnutia
  döntés, döntések, határozat, határozatok
  karar, kararlar
  решение, решения, рішення
  決定, 決定事項, 決定内容, 合意事項
  决定, 决策, 决议, 決議, 决定事项
  결정, 결정 사항, 결정사항, 합의 사항
`);

const fieldWords: Readonly<Record<Field, readonly string[]>> = {
  owner: wordsOf(`
    owner, owners, assignee, assignees, assigned to, responsible, responsible person, person responsible, who
    Verantwortlich, Verantwortliche, Verantwortlicher, Verantwortung, zuständig, Zuständige, Zuständiger, Zuständigkeit, wer, Bearbeiter, Bearbeiterin, zugewiesen an, Inhaber
    responsable, responsables, assigné à, assignée à, attribué à, attribuée à, qui, porteur, pilote
    encargado, encargada, asignado a, asignada a, quién, a cargo de
    responsável, responsáveis, atribuído a, atribuída a, quem, encarregado
    responsabile, responsabili, assegnato a, assegnata a, incaricato, chi
    verantwoordelijke, verantwoordelijk, toegewezen aan, eigenaar, actiehouder
    ansvarig, ansvarlig, tilldelad, tildelt, hvem, vem, vastuuhenkilö, vastuuhenkilöt, vastuu, kuka
    odpowiedzialny, odpowiedzialna, osoba odpowiedzialna, właściciel, kto, zodpovědný, zodpovědná, zodpovídá, odpovědná osoba, kdo, zodpovedný
    felelős, felelősök, sorumlu, sorumlu kişi, sorumlular
    ответственный, ответственная, ответственные, исполнитель, исполнители, кто, відповідальний, відповідальна, виконавець, хто
    担当, 担当者, 主担当, 責任者, 実施者, オーナー
    负责人, 負責人, 责任人, 責任人, 执行人, 執行人, 分配给
    담당, 담당자, 책임자
  `),
  due: wordsOf(`
    due, due date, due by, due on, deadline, by when, when, target date, eta
    fällig, fällig am, fällig bis, Fälligkeit, Fälligkeitsdatum, Frist, Termin, bis, bis wann, wann, Zieldatum, Stichtag
    échéance, date d'échéance, date limite, délai, quand
    fecha límite, fecha de entrega, vencimiento, plazo, cuándo, fecha
    prazo, data limite, vencimento, quando
    scadenza, data di scadenza, entro
    vervaldatum, uiterlijk, wanneer, einddatum
    förfallodatum, slutdatum, senast, när, forfald, forfaldsdato, forfallsdato, når, määräaika, määräpäivä, milloin
    termin wykonania, do kiedy, kiedy, termín, do kdy, kdy, lehota
    határidő, mikor, son tarih, bitiş tarihi, termin tarihi
    срок, крайний срок, дедлайн, когда, термін, строк, коли
    期限, 期日, 締切, 締め切り, 〆切, 納期, いつまで
    截止, 截止日期, 截止时间, 截止日, 完成时间, 完成日期
    기한, 마감, 마감일, 완료일
  `),
  state: wordsOf(`
    status, state, done, Stand, erledigt, statut, état, estado, situação, stato, stan, stav, állapot, durum, tila, статус, стан
    状態, ステータス, 進捗, 状態, 状态, 狀態, 진행, 상태, 완료 여부
  `),
  text: [...taskWords, ...decisionWords],
  other: wordsOf(`
    assigned by, requested by, created by, given by, zugewiesen von, vergeben von, beauftragt von, assigné par, asignado por, atribuído por, assegnato da, toegewezen door, 依頼者, 指示者, 指派人, 分配人, 지시자, 요청자
  `),
};

/** Heads of columns that say too little to be the name of a line. A column of numbers or of who gave the task is `other`. */
const columnWords: Readonly<Record<Exclude<Field, 'state'>, readonly string[]>> = {
  owner: wordsOf('person, lead, wie, ki, kim, 誰, 谁, 누가, 氏名'),
  due: wordsOf(
    'date, by, until, Datum, data, dato, päivä, dátum, tarih, дата, いつ, 日付, 时间, 时限, 언제, 일정',
  ),
  text: wordsOf(
    'what, item, description, title, subject, was, Beschreibung, quoi, qué, o quê, cosa, wat, vad, hva, hvad, mitä, co, mit, ne, что, що, 内容, 対応, 対応内容, 作業, 項目, 事项, 내용, 업무, 항목',
  ),
  other: wordsOf('#, no, nr, num, number, id, №, lp, poz, pos, 番号, 序号, 编号, 번호'),
};

const fieldByName: ReadonlyMap<string, Field> = indexFields(fieldWords);
const fieldByHead: ReadonlyMap<string, Field> = new Map([...indexFields(columnWords), ...fieldByName]);

function indexFields(table: Readonly<Partial<Record<Field, readonly string[]>>>): ReadonlyMap<string, Field> {
  const found = new Map<string, Field>();
  for (const [field, words] of Object.entries(table)) {
    // The keys of the tables above are fields.
    for (const word of words) if (!found.has(word)) found.set(word, field as Field);
  }
  return found;
}

/** The field that a line such as `Owner: Ann` names. */
export function findField(name: string): Field | undefined {
  return fieldByName.get(foldWords(name));
}

/** Names of fields and states that begin sentences too. */
const ambiguousWords: ReadonlySet<string> = new Set(
  wordsOf(`
    who, when, wer, wann, Termin, bis, qui, quand, quién, cuándo, quem, quando, chi, kto, kdo, kdy, kiedy, hvem, vem, kuka, milloin, når, när
    キャンセル, 取消, 中止, кто, когда, хто, коли, complete, closed, finished, dropped, x, klar, klart, fertig, fait, faite, 完成
  `),
);

/** Whether a name of a field or a state is also the beginning of other texts. */
export function isAmbiguous(name: string): boolean {
  return ambiguousWords.has(foldWords(name));
}

/** The field that the head of a column names. */
export function findColumn(head: string): Field | undefined {
  return head.trim() === '' ? 'other' : fieldByHead.get(foldWords(head));
}

const listNames: ReadonlySet<string> = new Set([...taskWords, ...decisionWords]);

/** Whether a text is the name of a list of tasks or decisions, or of its further entries: `Decisions`, `Notes`. */
export function isListName(text: string): boolean {
  const folded = foldWords(text).replace(/^\d+ | \d+$/g, '');
  return listNames.has(folded) || furtherWords.has(folded);
}

const furtherWords: ReadonlySet<string> = new Set(
  wordsOf(`
    note, notes, further notes, additional notes, remarks, supplement, other, others, misc, miscellaneous
    Ergänzung, Ergänzungen, Anmerkung, Anmerkungen, Hinweis, Hinweise, Sonstiges, Weiteres, Nachtrag
    remarque, remarques, complément, compléments, divers, nota, notas, observaciones, complemento, otros, observações, outros, altro, osservazioni
    opmerkingen, overig, aanvulling, övrigt, kommentarer, bemærkninger, merknader, øvrigt, muuta, huomautuksia
    uwagi, inne, poznámky, ostatní, doplnění, megjegyzés, megjegyzések, egyéb, notlar, diğer, примечания, примечание, прочее, дополнение, примітки
    補足, 備考, その他, 追記, 备注, 补充, 其他, 備註, 補充, 비고, 참고, 기타, 보충
  `),
);

const noOwnerWords: ReadonlySet<string> = new Set(
  wordsOf(`
    unassigned, nobody, no one, none, no owner, not assigned, tbd, tba, n/a, open
    nicht zugewiesen, nicht zugeordnet, niemand, offen, keine, keiner, unzugewiesen, ohne Verantwortliche, ohne Verantwortlichen, ohne Zuständigkeit
    non attribué, non assigné, non attribuées, non assignées, personne, aucun, à définir
    sin asignar, sin responsable, nadie, por definir, não atribuído, não atribuídas, sem responsável, ninguém, a definir
    non assegnato, non assegnate, nessuno, da definire, niet toegewezen
    ej tilldelad, otilldelad, ikke tildelt, ingen, ei määritetty, ei vastuuhenkilöä
    nieprzypisane, brak, nepřiřazeno, nikdo, nincs felelős, senki, atanmadı, atanmamış
    не назначен, не назначено, не назначены, без ответственного, никто, не призначено
    未定, 未割り当て, 未割当, 未アサイン, 担当者なし, 担当なし, 担当未定, なし
    未分配, 未指定, 未指派, 待定, 无, 無
    미정, 미지정, 미배정, 담당자 없음, 없음
  `),
);

/** Whether the name of an owner says that there is none. */
export function namesNone(owner: string): boolean {
  const folded = foldWords(owner);
  return folded === '' || noOwnerWords.has(folded);
}

const stateByWord: ReadonlyMap<string, TaskState> = new Map([
  ...wordsOf(`
    done, completed, complete, closed, finished, resolved, x
    erledigt, abgeschlossen, fertig, terminé, terminée, terminées, fait, faite, hecho, hecha, completado, completada, completadas
    feito, feita, concluído, concluída, concluídas, fatto, fatta, completato, completata, klaar, gereed, afgerond, voltooid
    klar, klart, färdig, avklarad, færdig, ferdig, fullført, valmis, tehty, zrobione, ukończone, wykonane, hotovo, splněno, dokončeno
    kész, elkészült, tamamlandı, bitti, yapıldı, готово, выполнено, сделано, завершено, виконано, зроблено
    完了, 済, 済み, 完了済み, 対応済み, 完成, 已完成, 완료, 완료됨
  `).map((word) => [word, 'done'] as const),
  ...wordsOf(`
    cancelled, canceled, dropped, obsolete, abandoned, won't do
    abgebrochen, storniert, verworfen, entfällt, entfallen, abgesagt, annulé, annulée, abandonné, cancelado, cancelada, descartado
    annullato, annullata, geannuleerd, vervallen, avbruten, inställd, annulleret, aflyst, avlyst, avbrutt, peruttu
    anulowane, zrušeno, törölve, visszavonva, iptal, iptal edildi, отменено, отменена, скасовано
    中止, 取消, 取り消し, キャンセル, 已取消, 취소, 취소됨
  `).map((word) => [word, 'cancelled'] as const),
]);

/** The state that a word such as `erledigt` names; undefined for an open task and an unknown word. */
export function findState(word: string): TaskState | undefined {
  const sign = word.trim();
  if (/^(?:✓|✔|✅|☑)\uFE0F?$/.test(sign)) return 'done';
  return stateByWord.get(foldWords(sign));
}

/** The state that a label of several words gives its tasks: `Completed tasks`, `Erledigte Aufgaben`. */
export function findListState(label: string): TaskState | undefined {
  const words = foldWords(label).split(' ');
  if (words.some((word) => openWords.has(word))) return undefined;
  if (!words.some((word) => listNames.has(word)))
    return /^(?:已完成|完了)(?:任务|タスク)$/.test(words.join('')) ? 'done' : undefined;
  const found = words.map(
    (word) => inflected.get(word) ?? (ambiguousWords.has(word) ? undefined : stateByWord.get(word)),
  );
  return found.find((state) => state !== undefined);
}

const inflected: ReadonlyMap<string, TaskState> = new Map([
  ...wordsOf(
    'erledigte, erledigten, abgeschlossene, abgeschlossenen, terminées, completadas, terminadas, concluídas, completate, afgeronde, voltooide, slutförda, færdige, fullførte, zakończone, wykonane, dokončené, splněné, elvégzett, выполненные, завершенные, виконані',
  ).map((word) => [word, 'done'] as const),
  ...wordsOf(
    'stornierte, verworfene, gestrichene, annulées, canceladas, annullate, anulowane, zrušené, отмененные',
  ).map((word) => [word, 'cancelled'] as const),
]);

const openWords: ReadonlySet<string> = new Set(
  wordsOf(`
    open, still open, pending, in progress, ongoing, to do, todo, not done, remaining, outstanding, not, still, next, offen, offene, noch offen, noch zu tun, nicht, in Arbeit, laufend
    en cours, à faire, pendiente, pendientes, en curso, em andamento, pendente, aperto, in corso, open, lopend, pågår, öppet, otwarte, w toku, otevřené, nyitott, açık, в работе, открыто
    未完了, 進行中, 継続, 未対応, 进行中, 未完成, 진행 중, 미완료
  `),
);

/** Whether a label says that the tasks below are open. */
export function isOpenWord(label: string): boolean {
  const folded = foldWords(label);
  const words = folded.split(' ').filter((word) => !listNames.has(word));
  return openWords.has(folded) || (words.length > 0 && words.every((word) => openWords.has(word)));
}

const yesWords: ReadonlySet<string> = new Set(
  wordsOf('yes, y, true, ja, oui, sí, si, sim, sì, tak, ano, igen, evet, да, так, はい, 是, 예, 100'),
);

/** Whether a cell of a column such as `Done` says yes. */
export function isYes(value: string): boolean {
  return yesWords.has(foldWords(value));
}

const noWords: ReadonlySet<string> = new Set(
  wordsOf('no, n, false, nein, non, nej, nee, nie, ne, nem, hayır, ei, não, нет, ні, いいえ, 否, 아니요, 0'),
);

/** Whether such a cell says no. */
export function isNo(value: string): boolean {
  return noWords.has(foldWords(value));
}

/** Whether a value can be the owner of a task: a name, a team or that there is none. */
export function isPlausibleOwner(value: string): boolean {
  if (namesNone(value)) return true;
  if (value.length > MAX_OWNER_LENGTH || /\s[–—-]\s|[?!？！。;；:：]/.test(value)) return false;
  const words = value.split(/[^\p{L}\p{M}\p{N}'’.@-]+/u).filter((word) => /\p{L}/u.test(word));
  if (
    words.length > MAX_OWNER_WORDS ||
    (!/\s/.test(value) &&
      /\p{scx=Han}|\p{scx=Kana}|\p{scx=Hira}/u.test(value) &&
      /[\u3041-\u3096]{2}|.{11}/u.test(value.split(/[、,・]/)[0] ?? ''))
  )
    return false;
  return (
    words.length === 1 ||
    words.every((word) => nameParticles.has(word.toLowerCase()) || !/^\p{Ll}/u.test(word))
  );
}

/** Whether a value can be the date of a task: a number, a day, a month, or one or two words. */
export function isPlausibleDue(value: string): boolean {
  if (namesNone(value) || /\d/.test(value)) return true;
  const words = foldWords(value).split(' ');
  return words.length <= 2 ? value.length <= 20 : words.some((word) => dateWords.has(word));
}

const dateWords: ReadonlySet<string> = new Set(
  wordsOf(`
    monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, may, june, july, august, september, october, november, december
    today, tomorrow, week, month, quarter, year, asap, eod, sprint, Montag, Dienstag, Mittwoch, Donnerstag, Freitag, heute, morgen, Woche, Monat, Quartal, Monatsende, Januar, Februar, März, Mai, Juni, Juli, Oktober, Dezember
    lundi, mardi, mercredi, jeudi, vendredi, demain, semaine, mois, lunes, martes, miércoles, jueves, viernes, mañana, semana, mes, segunda, terça, quarta, quinta, sexta, amanhã, lunedì, martedì, mercoledì, giovedì, venerdì, domani, settimana, mese
    maandag, dinsdag, woensdag, donderdag, vrijdag, maand, måndag, tisdag, onsdag, torsdag, fredag, vecka, uge, uke, tydzień, tygodnia, týden, týdne, hét, hafta, понедельник, пятница, пятницы, неделя, недели, неделе
  `),
);

/** Words of a label that is about time, rank or state, and so names no person or team. */
const topicWords: ReadonlySet<string> = new Set(
  wordsOf(`
    action, actions, item, items, task, tasks, to, do, todo, todos, step, steps, next, follow, up, followup, priority, high, medium, low, urgent, important
    week, weeks, month, today, tomorrow, now, later, soon, short, long, term, open, pending, blocked, ongoing, other, others, general, misc, note, notes
    question, questions, decision, decisions, deadline, deadlines, agreed, immediate, summary, topic, topics, risk, risks, phase, sprint, backlog, due, for, from, until, by, before, after, this, the, following, required, additional
    budget, pricing, price, offer, contract, website, product, launch, release, customer, customers, onboarding, hiring, roadmap, planning, preparation, communication, documentation, infrastructure, feedback, meeting, agenda, overview, background, reason, result, results, status
    add, ask, book, build, call, check, collect, complete, confirm, contact, create, decide, define, discuss, draft, finalize, fix, hire, implement, invite, keep, move, order, organize, prepare, publish, remove, research, review, schedule, send, set, share, start, stop, test, update, write
    monday, tuesday, wednesday, thursday, friday, january, february, march, april, may, june, july, august, september, october, november, december
    nächste, nächster, nächsten, schritt, schritte, aufgabe, aufgaben, offene, offen, punkte, punkt, priorität, hoch, hohe, mittel, niedrig, niedrige, dringend, wichtig, woche, monat, heute, morgen, später, kurzfristig, langfristig, sonstiges, sonstige, allgemein, allgemeines, frage, fragen, entscheidungen, hinweis, hinweise, anmerkungen, ergänzung, themen, thema, bis, für, diese, dieser, montag, dienstag, mittwoch, donnerstag, freitag, angebot, vertrag, preis, preise, webseite, produkt, kunde, kunden, personal, planung, vorbereitung, kommunikation, marketing, vertrieb, technik, finanzen, termin, termine, ergebnis, ergebnisse
    prüfen, erstellen, senden, schicken, verschicken, versenden, klären, planen, buchen, schreiben, vorbereiten, aktualisieren, abstimmen, einholen, beauftragen, bestellen, organisieren
    prochaine, prochaines, étape, étapes, tâche, tâches, priorité, urgent, semaine, mois, aujourd'hui, demain, autre, autres, remarque, remarques, questions, divers, haute, moyenne, basse, cette
    próximo, próximos, próxima, paso, pasos, tarea, tareas, prioridad, urgente, semana, mes, hoy, mañana, otro, otros, notas, preguntas, general, alta, media, baja, esta
    passo, passos, tarefa, tarefas, prioridade, mês, hoje, amanhã, outro, outros, perguntas, geral
    prossimi, prossimo, passi, priorità, settimana, mese, oggi, domani, altro, note, domande, volgende, stappen, prioriteit, maand, vandaag, morgen, overig
    prioritet, vecka, månad, uge, måned, uke, idag, imorgon, øvrigt, prioriteetti, viikko, priorytet, tydzień, priorita, týden, prioritás, hét, öncelik, hafta, приоритет, неделя, сегодня, завтра, прочее, важно
  `).flatMap((words) => words.split(' ')),
);

/** Whether a single word is more likely a topic than a name: `Price`, `May`. */
export function isTopicWord(label: string): boolean {
  return topicWords.has(foldWords(label));
}

/** The same where words are not separated by blanks. */
const topicSigns =
  /今週|来週|今月|来月|本日|明日|次回|次の|優先|重要|緊急|至急|補足|備考|その他|全体|未決|課題|決定|確認|事項|事项|完了|短期|長期|长期|下周|本周|优先|紧急|其他|备注|补充|下一步|우선|긴급|이번|다음|기타|참고|추가|보충|전체|価格|採用|予算|資料|契約|開発|営業|広報|会議|予定|準備|送付|作成|提出|报价|预算|价格|合同|会议|发送|准备|견적|예산|회의|자료|발송|작성/;

/** Words that may stand in lower case in a name. */
const nameParticles: ReadonlySet<string> = new Set(
  'de da do dos das di del della der den des du la le les los las el al van von vom zu zur zum ten ter bin ibn ben af av y e i et und and og och en of és ve и та d'.split(
    ' ',
  ),
);

const MAX_OWNER_WORDS = 6;
const MAX_OWNER_LENGTH = 60;

/**
 * Whether a label can be the name of a person, a team or several of them, and not a topic, a time or a sentence.
 * `isLong`: a single word is not enough.
 */
export function looksLikeOwner(label: string, isLong: boolean): boolean {
  if (label.length > MAX_OWNER_LENGTH || /[\d?!？！。;；:：]/.test(label) || topicSigns.test(label))
    return false;
  const words = label.split(/[^\p{L}\p{M}'’.-]+/u).filter((word) => /\p{L}/u.test(word));
  if (words.length < (isLong ? 2 : 1) || words.length > MAX_OWNER_WORDS) return false;
  return words.every((word) => {
    const lower = word.toLowerCase().replace(/[.'’]$/, '');
    if (topicWords.has(foldWords(lower))) return false;
    return nameParticles.has(lower) || !/^\p{Ll}/u.test(word);
  });
}
