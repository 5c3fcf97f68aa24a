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
function wordsOf(table: string): readonly string[] {
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
    owner, owners, assignee, assignees, assigned to, responsible, responsible person, person responsible, who, lead
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
  owner: wordsOf('person, name, wie, ki, kim, 誰, 谁, 누가, 氏名'),
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

/** The field that the head of a column names. */
export function findColumn(head: string): Field | undefined {
  return head.trim() === '' ? 'other' : fieldByHead.get(foldWords(head));
}

const listNames: ReadonlySet<string> = new Set([...taskWords, ...decisionWords]);

/** Whether a label only says that a list of tasks or decisions follows. */
export function namesList(label: string): boolean {
  return listNames.has(foldWords(label));
}

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
export function namesNoOwner(owner: string): boolean {
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

/** Words of a label that is about time, rank or state, and so names no person or team. */
const topicWords: ReadonlySet<string> = new Set(
  wordsOf(`
    action, actions, item, items, task, tasks, to, do, todo, todos, step, steps, next, follow, up, followup, priority, high, medium, low, urgent, important
    week, weeks, month, today, tomorrow, now, later, soon, short, long, term, open, pending, blocked, ongoing, other, others, general, misc, note, notes
    question, questions, decision, decisions, deadline, deadlines, agreed, immediate, summary, topic, topics, risk, risks, phase, sprint, backlog, due, for, from, until, by, before, after, this, the, following, required, additional
    monday, tuesday, wednesday, thursday, friday, january, february, march, april, may, june, july, august, september, october, november, december
    nächste, nächster, nächsten, schritt, schritte, aufgabe, aufgaben, offene, offen, punkte, punkt, priorität, hoch, hohe, mittel, niedrig, niedrige, dringend, wichtig, woche, monat, heute, morgen, später, kurzfristig, langfristig, sonstiges, sonstige, allgemein, allgemeines, frage, fragen, entscheidungen, hinweis, hinweise, anmerkungen, ergänzung, themen, thema, bis, für, diese, dieser, montag, dienstag, mittwoch, donnerstag, freitag
    prochaine, prochaines, étape, étapes, tâche, tâches, priorité, urgent, semaine, mois, aujourd'hui, demain, autre, autres, remarque, remarques, questions, divers, haute, moyenne, basse, cette
    próximo, próximos, próxima, paso, pasos, tarea, tareas, prioridad, urgente, semana, mes, hoy, mañana, otro, otros, notas, preguntas, general, alta, media, baja, esta
    passo, passos, tarefa, tarefas, prioridade, mês, hoje, amanhã, outro, outros, perguntas, geral
    prossimi, prossimo, passi, priorità, settimana, mese, oggi, domani, altro, note, domande, volgende, stappen, prioriteit, maand, vandaag, morgen, overig
    prioritet, vecka, månad, uge, måned, uke, idag, imorgon, øvrigt, prioriteetti, viikko, priorytet, tydzień, priorita, týden, prioritás, hét, öncelik, hafta, приоритет, неделя, сегодня, завтра, прочее, важно
  `).flatMap((words) => words.split(' ')),
);

/** The same where words are not separated by blanks. */
const topicSigns =
  /今週|来週|今月|来月|本日|明日|次回|次の|優先|重要|緊急|至急|補足|備考|その他|全体|未決|課題|決定|確認|事項|事项|完了|短期|長期|长期|下周|本周|优先|紧急|其他|备注|补充|下一步|우선|긴급|이번|다음|기타|참고|추가|보충|전체/;

/** Words that may stand in lower case in a name. */
const nameParticles: ReadonlySet<string> = new Set(
  'de da do dos das di del della der den des du la le les los las el al van von vom zu zur zum ten ter bin ibn ben af av y e i et und and og och en of és ve и та d'.split(
    ' ',
  ),
);

const MAX_OWNER_WORDS = 6;
const MAX_OWNER_LENGTH = 60;

/** Whether a label can be the name of a person, a team or several of them, and not a topic, a time or a sentence. */
export function looksLikeOwner(label: string): boolean {
  if (label.length > MAX_OWNER_LENGTH || /[\d?!？！。;；:：]/.test(label) || topicSigns.test(label))
    return false;
  const words = label.split(/[^\p{L}\p{M}'’.-]+/u).filter((word) => /\p{L}/u.test(word));
  if (words.length === 0 || words.length > MAX_OWNER_WORDS) return false;
  return words.every((word) => {
    const lower = word.toLowerCase().replace(/[.'’]$/, '');
    if (topicWords.has(foldWords(lower))) return false;
    return nameParticles.has(lower) || !/^\p{Ll}/u.test(word);
  });
}

const MAX_NOTHING_LENGTH = 120;

/** Texts that say by themselves that there is nothing. */
const nothingTexts: ReadonlySet<string> = new Set(
  wordsOf(`
    none, nothing, n/a, not applicable, nil
    keine, keines, nichts, entfällt, nicht zutreffend, k. A.
    aucun, aucune, rien, néant, sans objet, ninguno, ninguna, nada, no aplica, sin novedad, nenhum, nenhuma, não aplicável, não se aplica
    nessuno, nessuna, niente, nulla, non applicabile, geen, niets, nvt, n.v.t.
    inga, inget, ingen, ingenting, intet, ei mitään, ei ole, brak, nie dotyczy, nic, žádné, žádná, žiadne, nincs, nincsenek, semmi
    yok, hiçbiri, нет, ничего, отсутствуют, не применимо, немає, відсутні
  `),
);

/** In each row: words that deny, what there is none of or what was done with it, and words around them. */
const nothingVocabulary: readonly {
  readonly no: ReadonlySet<string>;
  readonly what: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
}[] = [
  [
    'no none nothing not',
    'task tasks action actions item items decision decisions todo todos dos identified made found recorded mentioned assigned agreed discussed taken reached noted detected stated given captured documented',
    'there are were is was have has had been could be any new specific further formal explicit clear concrete key final major follow up to do in at from during the this meeting call conversation discussion transcript recording session on yet',
  ],
  [
    'keine keinen keinerlei kein nichts nicht',
    'aufgabe aufgaben entscheidung entscheidungen beschluss beschlüsse maßnahme maßnahmen massnahmen aktionspunkte aktionen todo todos dos vereinbarungen festlegungen folgeaufgaben schritte getroffen gefasst festgelegt vereinbart identifiziert besprochen verteilt erkannt genannt vergeben beschlossen entschieden erwähnt dokumentiert zugewiesen',
    'es wurde wurden gibt gab liegen sind waren worden vor vorhanden konkreten konkrete weiteren weitere neuen neue offenen offene expliziten explizite spezifischen spezifische formalen nächsten action item items to do in im bei aus dem der den diesem dieser meeting gespräch besprechung sitzung termin call aktuell derzeit bisher heute',
  ],
  [
    'aucun aucune rien pas ni',
    'tâche tâches tache taches action actions décision décisions point points prise prises identifiée identifiées identifié identifiés mentionnée mentionnées définie définies assignée assignées enregistrée enregistrées convenu relevée relevées attribuée attribuées noter signaler',
    'il n ne y a avait ont ou n été ete était étaient été prise de d à dans lors pendant cette ce la le les réunion reunion appel conversation discussion spécifique spécifiques suivi concrète nouvelle nouvelles formelle',
  ],
  [
    'no ningún ninguna ninguno sin nada',
    'tarea tareas acción acciones decisión decisiones acuerdo acuerdos pendientes puntos tomó tomaron tomado tomada tomadas identificaron identificado identificadas asignaron asignadas registraron acordaron acordado mencionaron definieron establecieron',
    'se hay hubo han ha fueron de en durante la las los esta este reunión llamada conversación sesión específicas específica concretas nuevas nueva',
  ],
  [
    'não nenhum nenhuma sem nada',
    'tarefa tarefas ação ações acção acções decisão decisões item itens tomada tomadas identificada identificadas atribuída atribuídas registrada registradas definida definidas mencionada acordada pendente pendentes',
    'há houve foi foram de na no nesta neste durante a as os reunião chamada conversa específica específicas nova novas',
  ],
  [
    'nessun nessuna nessuno non niente nulla',
    'attività compito compiti azione azioni decisione decisioni presa prese identificata identificate assegnata assegnate emersa emerse definita definite registrata',
    'è sono stata state stato stati ci c e di in nella durante la questa riunione chiamata specifica specifiche nuova nuove da segnalare',
  ],
  [
    'geen niets niet',
    'taak taken actie acties actiepunt actiepunten besluit besluiten beslissing beslissingen genomen vastgesteld afgesproken geïdentificeerd toegewezen besproken genoteerd',
    'er zijn is werden waren in tijdens deze dit de het vergadering gesprek overleg specifieke nieuwe concrete',
  ],
  [
    'inga inget ingen ingenting intet ikke inte ingenting',
    'uppgift uppgifter åtgärd åtgärder beslut opgaver opgave oppgaver oppgave handlinger beslutning beslutninger vedtak fattades fattats togs truffet tatt taget identifierades identifierats identificeret identifisert aftalt avtalt',
    'det er var finns fanns blev ble har blitt blevet nya nye specifika spesifikke under i på mötet møtet mødet dette detta',
  ],
  [
    'ei eikä',
    'tehtäviä tehtävää päätöksiä päätöstä toimenpiteitä tehty tunnistettu sovittu kirjattu',
    'ole ollut kokouksessa tässä uusia',
  ],
  [
    'brak nie żadnych żadne žádné žádná nebyly nebyla neboli žiadne žiadna nejsou nic',
    'zadań zadania działań decyzji decyzje ustaleń podjęto zidentyfikowano przypisano úkoly úkol rozhodnutí přijata přijato učiněna identifikovány stanoveny úlohy rozhodnutia prijaté',
    'w na na tym podczas spotkaniu spotkania konkretnych nowych byly byla boli na této v schůzce schůzi porade',
  ],
  [
    'nem nincs nincsenek semmilyen',
    'döntés döntések feladat feladatok teendő teendők határozat született születtek hoztunk azonosítottunk',
    'a az ezen megbeszélésen értekezleten konkrét új volt',
  ],
  [
    'yok yoktur alınmadı belirlenmedi atanmadı hiçbir bulunmuyor bulunmamaktadır',
    'görev görevler karar kararlar aksiyon aksiyonlar eylem',
    'bu toplantıda herhangi bir yeni belirli maddesi',
  ],
  [
    'нет не никаких ничего немає отсутствуют відсутні',
    'задач задачи поручений решений решения решение действий принято приняты принимались выявлено назначено зафиксировано рішень рішення завдань завдання доручень прийнято',
    'было были было на этой встрече встречи совещании в ходе новых конкретных цій зустрічі було',
  ],
].map(([no = '', what = '', around = '']) => ({
  no: new Set(no.split(' ')),
  what: new Set(what.split(' ')),
  around: new Set(around.split(' ')),
}));

const nothingJapanese =
  /^(?:(?:本日|今回|この)?(?:の)?(?:会議|打ち合わせ|ミーティング|会合)?(?:では|での|には|において|で|は)?)?(?:特に|特段|とくに|新たな|具体的な|明確な)?(?:決定事項|決定|タスク|アクションアイテム|アクション|宿題|課題|対応事項|該当|該当事項|記載|特記事項|todo)?(?:は|が|も|について)?(?:特に|特段|とくに)?(?:なし|無し|無|ない|無い|なかった|ありません|ございません|ありませんでした|ございませんでした|決まりませんでした|挙がりませんでした|確認されませんでした|特定されませんでした|割り当てられませんでした)(?:です|でした)?$/;

const nothingChinese =
  /^(?:本次|此次|这次|這次)?(?:会议|會議|通话)?(?:中|上)?(?:暂时?|暫時?|目前|尚)?(?:没有|沒有|并未|並未|未|无|無)(?:任何|明确|明確|具体|具體|新的|新)?(?:做出|作出|形成|分配|指定|提及|提到|识别|識別|讨论|討論|达成|達成|确定|確定|提出|安排|记录)?(?:到|出)?(?:任何|明确|明確|具体|具體)?的?(?:任务|任務|决定|決定|决策|決策|决议|決議|行动项|行动|行動項目|行動|待办事项|待辦事項|待办|待辦|事项|事項|内容|內容)?$/;

const nothingKorean =
  /^(?:이번|본|해당)? ?(?:회의|미팅)?(?:에서|에서는)? ?(?:특별한|별도의|구체적인|새로운)? ?(?:결정 ?사항|결정|할 ?일|작업|액션 ?아이템|과제|업무|태스크|후속 ?조치|조치 ?사항|내용)?(?:은|는|이|가)? ?(?:특별히|별도로|따로)? ?(?:없음|없습니다|없었습니다|없었음|없다|해당 ?없음|정해지지 않았습니다|논의되지 않았습니다|확인되지 않았습니다)$/;

/**
 * Whether an entry of a list only says that the list is empty: `None.`, `Keine Aufgaben`, `特になし`, `—`. A text with a word
 * that such texts do not need says something.
 */
export function saysNothing(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (text.length > MAX_NOTHING_LENGTH) return false;
  const folded = foldWords(text);
  if (nothingTexts.has(folded)) return true;
  const words = folded.split(' ');
  const isDenied = nothingVocabulary.some(
    ({ no, what, around }) =>
      words.some((word) => no.has(word)) &&
      words.some((word) => what.has(word)) &&
      words.every((word) => no.has(word) || what.has(word) || around.has(word)),
  );
  if (isDenied) return true;
  const joined = folded.replaceAll(' ', '');
  return nothingJapanese.test(joined) || nothingChinese.test(joined) || nothingKorean.test(folded);
}
