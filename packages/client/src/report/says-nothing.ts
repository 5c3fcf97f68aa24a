import { foldWords, wordsOf } from './vocabulary.ts';

/**
 * Whether an entry of a list only says that the list is empty: `None.`, `Keine Aufgaben`, `特になし`, `—`. A text with a word
 * that such texts do not need says something.
 */
export function saysNothing(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (text.length > MAX_LENGTH) return false;
  const folded = foldWords(text);
  if (nothingTexts.has(folded) || deniesEntries(folded.split(' '))) return true;
  const joined = folded.replaceAll(' ', '');
  return japanese.test(joined) || chinese.test(joined) || korean.test(folded);
}

const MAX_LENGTH = 120;

/** Denies that there are entries (`No decisions were made`), or that any was made (`None identified`), and says no more. */
function deniesEntries(words: readonly string[]): boolean {
  return vocabulary.some(({ no, entries, made, around }) => {
    const isKnown = words.every(
      (word) => no.has(word) || entries.has(word) || made.has(word) || around.has(word),
    );
    if (!isKnown) return false;
    const isBare = nothingTexts.has(words[0] ?? '') && words.some((word) => made.has(word));
    return isBare || (words.some((word) => no.has(word)) && words.some((word) => entries.has(word)));
  });
}

/** Whether a text only says that the list follows: `Here are the action items from the meeting`. */
export function speaksOfListOnly(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (eastAsianIntroduction.test(text)) return true;
  const words = foldWords(text).split(' ');
  const isNamed = words.some(
    (word) => announcingWords.has(word) || vocabulary.some(({ entries }) => entries.has(word)),
  );
  const isDenied = words.some((word) => vocabulary.some(({ no }) => no.has(word)));
  return isNamed && !isDenied && words.every(isListWord);
}

/** Whether a word stands in sentences that only announce a list. */
export function isListWord(word: string): boolean {
  const folded = foldWords(word);
  return (
    announcingWords.has(folded) ||
    fillers.has(folded) ||
    vocabulary.some(
      ({ entries, made, around }) => entries.has(folded) || made.has(folded) || around.has(folded),
    )
  );
}

const eastAsianEntries =
  '[^。]{0,16}(?:アクション(?:アイテム)?|タスク|決定事項|課題|対応事項|宿題|任务|决定|行动项|待办事项)';

/** In Japanese and Chinese: `以下のタスク：`, `以下の通りです`, `决定如下：`. `次回まで：` and `予算は以下の通り：` say more. */
const eastAsianIntroduction = new RegExp(
  `^(?:(?:以下|下記|次)${eastAsianEntries}(?:[^。]{0,20}(?:です|ました|あります))?` +
    `|(?:${eastAsianEntries}は?)?(?:(?:以下|下記|次)の(?:とおり|通り)|如下)(?:です)?)[。：:]?$`,
);

/** Words that announce a list. */
const announcingWords: ReadonlySet<string> = new Set(
  'here following below these follows folgende folgenden folgendes nachfolgende nachfolgenden hier diese dies voici suivantes suivants suivante siguientes siguiente aquí seguintes seguinte aqui seguenti seguente ecco volgende hier følgende följande seuraavat następujące následující alábbi aşağıdaki следующие'.split(
    ' ',
  ),
);

/** Words around them. */
const fillers: ReadonlySet<string> = new Set(
  'as of and our we team decided based next steps step list today all main transcript notes i die das wir haben hat beschlossen ergeben ergaben sich aufgelistet schritte nous avons décidé sont sont están son estão são sono zijn we hebben er som er jsou są'.split(
    ' ',
  ),
);

/** Texts that say by themselves that there is nothing. */
const nothingTexts: ReadonlySet<string> = new Set(
  wordsOf(`
    none, nothing, n/a, not applicable, nil, null
    keine, keines, nichts, entfällt, nicht zutreffend, k. A.
    aucun, aucune, rien, néant, sans objet, non applicable, non applicables, ninguno, ninguna, nada, no aplica, sin novedad
    nenhum, nenhuma, não aplicável, não se aplica, nessuno, nessuna, niente, nulla, non applicabile, geen, niets, nvt, n.v.t.
    inga, inget, ingen, ingenting, intet, ei mitään, ei ole, brak, nie dotyczy, nic, žádné, žádná, žiadne, nincs, nincsenek, semmi
    ไม่มี, لا يوجد, لا شيء, אין, không có, không, yok, hiçbiri, нет, ничего, отсутствуют, не применимо, немає, відсутні
  `),
);

/** In each row: words that deny, entries of a list, what is done with them, and words around them. */
const vocabulary = [
  [
    'no none nothing',
    'task tasks action actions item items decision decisions todo todos dos',
    'identified made found recorded mentioned assigned agreed discussed taken reached noted detected stated given captured documented',
    'there are were is was have has had been could be any new specific further formal explicit clear concrete key major follow up to do in at from during the this meeting call conversation discussion transcript recording session on',
  ],
  [
    'keine keinen keinerlei kein nichts',
    'aufgabe aufgaben entscheidung entscheidungen beschluss beschlüsse maßnahme maßnahmen massnahmen aktionspunkte aktionen punkte todo todos dos vereinbarungen festlegungen folgeaufgaben schritte action item items',
    'getroffen gefasst festgelegt vereinbart identifiziert besprochen verteilt erkannt genannt vergeben beschlossen entschieden erwähnt dokumentiert zugewiesen',
    'es wurde wurden gibt gab liegen sind waren worden vor vorhanden konkreten konkrete weiteren weitere neuen neue offenen offene expliziten explizite spezifischen spezifische formalen nächsten to do in im bei aus dem der den diesem dieser meeting gespräch besprechung sitzung call aktuell derzeit bisher heute explizit ausdrücklich',
  ],
  [
    'aucun aucune rien pas',
    'tâche tâches tache taches action actions décision décisions point points',
    'prise prises identifiée identifiées identifié identifiés mentionnée mentionnées définie définies assignée assignées enregistrée enregistrées convenu relevée relevées attribuée attribuées',
    'il n ne y a avait ont ou été ete était étaient de d à dans lors pendant cette ce la le les réunion reunion appel conversation discussion spécifique spécifiques suivi concrète nouvelle nouvelles formelle',
  ],
  [
    'no ningún ninguna ninguno sin nada',
    'tarea tareas acción acciones decisión decisiones acuerdo acuerdos pendientes puntos',
    'tomó tomaron tomado tomada tomadas identificaron identificado identificada identificadas asignaron asignada asignadas registraron acordaron acordado mencionaron definieron establecieron',
    'se hay hubo han ha fueron de en durante la las los esta este reunión llamada conversación sesión específicas específica concretas nuevas nueva',
  ],
  [
    'não nenhum nenhuma sem nada',
    'tarefa tarefas ação ações acção acções decisão decisões item itens',
    'tomada tomadas identificada identificadas atribuída atribuídas registrada registradas definida definidas mencionada acordada pendente pendentes',
    'há houve foi foram de na no nesta neste durante a as os reunião chamada conversa específica específicas nova novas',
  ],
  [
    'nessun nessuna nessuno non niente nulla',
    'attività compito compiti azione azioni decisione decisioni',
    'presa prese identificata identificate assegnata assegnate emersa emerse definita definite registrata',
    'è sono stata state stato stati ci c e di in nella durante la questa riunione chiamata specifica specifiche nuova nuove da',
  ],
  [
    'geen niets',
    'taak taken actie acties actiepunt actiepunten besluit besluiten beslissing beslissingen',
    'genomen vastgesteld afgesproken geïdentificeerd toegewezen besproken genoteerd',
    'er zijn is werden waren in tijdens deze dit de het vergadering gesprek overleg specifieke nieuwe concrete',
  ],
  [
    'inga inget ingen ingenting intet',
    'uppgift uppgifter åtgärd åtgärder beslut opgaver opgave oppgaver oppgave handlinger beslutning beslutninger vedtak',
    'fattades fattats togs truffet tatt taget identifierades identifierats identificeret identifisert aftalt avtalt',
    'det er var finns fanns blev ble har blitt blevet nya nye specifika spesifikke under i på mötet møtet mødet dette detta',
  ],
  [
    'ei eikä',
    'tehtäviä tehtävää päätöksiä päätöstä toimenpiteitä',
    'tehty tunnistettu sovittu kirjattu',
    'ole ollut kokouksessa tässä uusia',
  ],
  [
    'brak nie żadnych żadne žádné žádná nebyly nebyla neboli žiadne žiadna nejsou nic',
    'zadań zadania działań decyzji decyzje ustaleń úkoly úkol rozhodnutí úlohy rozhodnutia',
    'podjęto zidentyfikowano przypisano přijata přijato učiněna identifikovány stanoveny prijaté',
    'w na tym podczas spotkaniu spotkania konkretnych nowych byly byla boli této v schůzce schůzi porade',
  ],
  [
    'nem nincs nincsenek semmilyen',
    'döntés döntések feladat feladatok teendő teendők határozat',
    'született születtek hoztunk azonosítottunk',
    'a az ezen megbeszélésen értekezleten konkrét új volt',
  ],
  [
    'yok yoktur alınmadı belirlenmedi atanmadı hiçbir bulunmuyor bulunmamaktadır',
    'görev görevler karar kararlar aksiyon aksiyonlar eylem',
    '',
    'bu toplantıda herhangi bir yeni belirli maddesi',
  ],
  [
    'нет не никаких ничего немає отсутствуют відсутні',
    'задач задачи поручений решений решения решение действий рішень рішення завдань завдання доручень',
    'принято приняты принимались выявлено назначено зафиксировано прийнято',
    'было были на этой встрече встречи совещании в ходе новых конкретных цій зустрічі було',
  ],
  ['لا لم', 'قرارات قرار مهام مهمة', 'يوجد توجد', 'في هذا الاجتماع أي'],
  ['אין לא', 'החלטות החלטה משימות משימה', 'התקבלו', 'בפגישה זו'],
  ['không chưa', 'quyết định nhiệm vụ công việc', 'được đưa ra', 'có nào trong cuộc họp này'],
].map(([no = '', entries = '', made = '', around = '']) => ({
  no: new Set(no.split(' ')),
  entries: new Set(entries.split(' ')),
  made: new Set(made.split(' ')),
  around: new Set(around.split(' ')),
}));

const japanese =
  /^(?:(?:本日|今回|この)?(?:の)?(?:会議|打ち合わせ|ミーティング|会合)(?:では|での|には|において|で))?(?:(?:特に|特段の?|とくに|新たな|具体的な|明確な|特別な)?(?:決定事項|決定|決議事項|タスク|アクションアイテム|アクション|宿題|課題|対応事項|該当|該当事項|記載|特記事項|todo)(?:は|が|も|について)?)?(?:特に|特段|とくに)?(?:なし|無し|無|ない|無い|なかった|ありません|ございません|ありませんでした|ございませんでした|決まりませんでした|挙がりませんでした|確認されませんでした|特定されませんでした|割り当てられませんでした)(?:です|でした)?$/;

const chinese =
  /^(?:本次|此次|这次|這次)?(?:会议|會議|通话)?(?:中|上)?(?:暂时?|暫時?|目前|尚)?(?:没有|沒有|并未|並未|未|无|無)(?:(?:任何|明确|明確|具体|具體|新的|新)?(?:做出|作出|形成|分配|指定|提及|提到|识别|識別|达成|達成|确定|確定|提出|安排|记录)?(?:到|出)?(?:任何|明确|明確|具体|具體)?的?(?:任务|任務|决定|決定|决策|決策|决议|決議|決議事項|决议事项|行动项|行动|行動項目|行動|待办事项|待辦事項|待办|待辦))?$/;

const korean =
  /^(?:(?:이번|본|해당)? ?(?:회의|미팅)(?:에서|에서는) ?)?(?:(?:특별한|별도의|구체적인|새로운)? ?(?:결정 ?사항|결정|할 ?일|작업|액션 ?아이템|과제|업무|태스크|후속 ?조치|조치 ?사항)(?:은|는|이|가)? ?)?(?:특별히|별도로|따로)? ?(?:없음|없습니다|없었습니다|없었음|없다|해당 ?없음|정해지지 않았습니다|논의되지 않았습니다|확인되지 않았습니다)$/;
