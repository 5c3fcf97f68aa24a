import type { Scene } from '../../generator/scene.ts';

/** A team looks back at two weeks. */
export const retrospective: Scene = {
  title: 'Retrospektive Sprint {sprint}',
  templateName: 'team-sync',
  keywords: ['Retrospektive', 'Sprint {sprint}', '{bad.keyword}', 'Termine', 'Teamseite'],
  people: { host: 'woman', dev: 'man', tester: 'woman', designer: 'man' },
  slots: {
    sprint: ['12', '19', '26', '33', '41'],
    count: [
      { done: '16', planned: '18' },
      { done: '22', planned: '25' },
      { done: '18', planned: '21' },
    ],
    good: [
      {
        said: 'Der Build läuft jetzt in vier Minuten statt in elf. Das merke ich jeden Tag.',
        short: 'Der Build dauert vier statt elf Minuten',
      },
      {
        said: 'Wir haben fast immer noch am selben Tag gegengelesen. Das war im Herbst ganz anders.',
        short: 'Änderungen werden am selben Tag gegengelesen',
      },
      {
        said: 'Die kleinen Releases haben sich bewährt. Wir sind fünfmal rausgegangen, und keiner musste deswegen länger bleiben.',
        short: 'Fünf kleine Releases gingen ohne Überstunden raus',
      },
    ],
    bad: [
      {
        keyword: 'Testsystem',
        short: 'das Testsystem, das jeden zweiten Tag stand',
        said: 'Das Testsystem stand jeden zweiten Tag, und ich musste jedes Mal jemanden suchen, der es wieder hochfährt.',
        cause: 'Ich hab das im Frühjahr aufgesetzt und nirgends aufgeschrieben.',
        days: 'drei',
        fix: 'Für das Testsystem gibt es eine Anleitung und ein Skript, mit dem es jeder starten kann',
        task: 'Anleitung und Skript für den Start des Testsystems schreiben',
      },
      {
        keyword: 'Wartezeiten',
        short: 'Aufgaben, die erst am letzten Nachmittag in den Test kamen',
        said: 'Die Aufgaben kamen alle am letzten Nachmittag zu mir. Am zweiten Donnerstag lagen sieben auf meinem Tisch.',
        cause: 'Ich behalte einen Branch gern so lange, bis wirklich alles drin ist.',
        days: 'vier',
        fix: 'Was fertig ist, geht noch am selben Tag in den Test, und das Board wird rot, wenn etwas länger als zwei Tage liegt',
        task: 'Das Board rot werden lassen, wenn eine Aufgabe länger als zwei Tage liegt',
      },
      {
        keyword: 'Release-Branch',
        short: 'ein Fehler, der dreimal wiederkam',
        said: 'Wir hatten dreimal denselben Fehler, weil die Korrektur in einem Branch lag und das Release aus einem anderen kam.',
        cause: 'Ich hab zweimal in den falschen gemergt.',
        days: 'zwei',
        fix: 'Es gibt nur noch einen Release-Branch, und der Build lehnt jeden anderen ab',
        task: 'Den Build so einstellen, dass er nur den Release-Branch annimmt',
      },
    ],
  },
  weeks: [{ fix: 2 }, { fix: 3 }, { fix: 4 }],
  chapters: [
    {
      name: 'Was gut lief',
      lines: [
        'host: So, die zwei Wochen sind rum. Wie immer: Was lief gut, was nicht, und was ändern wir? Wer mag anfangen?',
        'dev: Ich fang an. {good.said}',
        'tester: Seh ich auch so. Wir haben {count.done} von {count.planned} Aufgaben geschafft, und in der ersten Woche kam von den Kunden nichts zurück.',
        'designer: Für mich war es die kurze Runde am Morgen. Zehn Minuten, und ich wusste, was als Nächstes dran ist.',
      ],
    },
    {
      name: 'Was schwierig war',
      lines: [
        'host: Und was war schwierig?',
        'tester: {bad.said}',
        'dev: Stimmt, und daran bin ich nicht unschuldig. {bad.cause}',
        'host: Wie viel Zeit hat uns das gekostet?',
        'tester: Ungefähr {bad.days} Tage, wenn ich alles zusammenzähle.',
        'designer: Mich hat was anderes geärgert. Dreimal hab ich von einem Kunden erfahren, dass sich ein Termin verschoben hat. Das würde ich gern von uns hören.',
        'host: Ja, das geht auf meine Kappe.',
      ],
    },
    {
      name: 'Was wir ändern',
      lines: [
        'host: Dann nehmen wir uns zwei Sachen vor, nicht zehn. {tester.first}, was ist deine?',
        'tester: Ganz klar: {bad.fix}. Damit hätten wir uns das meiste gespart.',
        'dev: Das übernehme ich. Reicht euch {fix}?',
        'tester: {fix} passt.',
        'designer: Und von mir: Wer einen Termin verschiebt, schreibt es noch am selben Tag in den Kanal.',
        'host: Hat jemand was dagegen? Nein? Dann machen wir das so. Ich trag beides heute noch auf der Teamseite ein, und in zwei Wochen schauen wir, ob es geholfen hat.',
      ],
    },
  ],
  summary: [
    'Das Team hat {count.done} von {count.planned} Aufgaben geschafft. Gut war vor allem: {good.short}.',
    '**Größter Zeitfresser: {bad.short}**, insgesamt etwa {bad.days} Tage. Terminverschiebungen erfuhr die Gestaltung mehrmals erst vom Kunden.',
    'Zwei Dinge ändern sich; in zwei Wochen prüft das Team, ob sie geholfen haben.',
  ],
  decisions: ['{bad.fix}', 'Wer einen Termin verschiebt, schreibt es noch am selben Tag in den Kanal'],
  tasks: [
    { text: '{bad.task}', owner: 'dev', due: 'fix', chapter: 2 },
    { text: 'Beide Änderungen auf der Teamseite eintragen', owner: 'host', due: 0, chapter: 2 },
    { text: 'Prüfen, ob die Änderungen geholfen haben', owner: 'host', due: 14, chapter: 2 },
  ],
};
