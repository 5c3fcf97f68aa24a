import type { Scene } from '../../generator/scene.ts';

/** A team decides whether something new goes out. */
export const productReview: Scene = {
  title: 'Freigabe: {feature}',
  templateName: 'project-sync',
  keywords: ['Freigabe', '{feature}', 'Betatest', 'Hilfetexte', 'Einführung'],
  people: { lead: 'man', dev: 'woman', research: 'man', support: 'woman' },
  slots: {
    feature: [
      {
        name: 'Belege per Foto',
        it: 'die Belegerkennung',
        fault: 'dass bei langen Kassenzetteln die letzte Zeile fehlt',
        faultKeyword: 'abgeschnittene Kassenzettel',
        cause:
          'Wir haben das Bild zu früh zugeschnitten. Seit Freitag ist das behoben, und seitdem kam nichts mehr.',
        open: 'Auf älteren Telefonen dauert die Erkennung bis zu zwölf Sekunden.',
        fix: 'das Bild auf dem Telefon verkleinern',
        ask: 'ob auch handgeschriebene Quittungen gehen',
      },
      {
        name: 'Gemeinsame Ordner',
        it: 'die Ordnerfreigabe',
        fault: 'dass Gäste die Unterordner nicht sehen',
        faultKeyword: 'unsichtbare Unterordner',
        cause:
          'Die Rechte galten nur für die oberste Ebene. Seit Freitag ist das behoben, und seitdem kam nichts mehr.',
        open: 'Bei mehr als tausend Dateien dauert das Öffnen bis zu acht Sekunden.',
        fix: 'die Liste beim Öffnen stückweise laden',
        ask: 'ob man eine Freigabe auch befristen kann',
      },
      {
        name: 'Terminbuchung ohne Konto',
        it: 'die Terminbuchung',
        fault: 'dass die Bestätigung im Spam landet',
        faultKeyword: 'Bestätigungen im Spam',
        cause: 'Uns fehlte ein Eintrag beim Absender. Seit Freitag ist er da, und seitdem kam nichts mehr.',
        open: 'Wenn zwei Leute gleichzeitig buchen, sieht der zweite erst nach sechs Sekunden, dass der Termin weg ist.',
        fix: 'den Termin beim Anklicken reservieren',
        ask: 'ob man auch per Telefon absagen kann',
      },
    ],
    beta: [
      { users: '180', kept: '162', share: '90 %', reports: '23', same: '17' },
      { users: '240', kept: '204', share: '85 %', reports: '31', same: '22' },
      { users: '125', kept: '115', share: '92 %', reports: '14', same: '9' },
    ],
    limit: ['ein Prozent', 'zwei Prozent'],
  },
  weeks: [
    { start: 9, done: 11 },
    { start: 8, done: 10 },
    { start: 10, done: 12 },
  ],
  chapters: [
    {
      name: 'Ergebnis des Betatests',
      lines: [
        'lead: Danke, dass ihr alle da seid. Am Ende will ich wissen, ob {feature.it} nächste Woche rausgeht oder nicht. {research.first}, wie lief der Test?',
        'research: Besser als gedacht. {beta.users} Betriebe haben mitgemacht, {beta.kept} davon wollen es behalten, also {beta.share}. Gemeldet wurden {beta.reports} Fehler, und {beta.same} davon waren derselbe, nämlich {feature.fault}.',
        'dev: Den kennen wir. {feature.cause}',
        'lead: Und der Rest?',
        'research: Kleinkram und ein paar Fragen. Am häufigsten wollten die Leute wissen, {feature.ask}.',
      ],
    },
    {
      name: 'Was noch offen ist',
      lines: [
        'lead: Gibt es etwas, womit du schlecht schläfst, {dev.first}?',
        'dev: Eine Sache. {feature.open} Das fällt im Test kaum auf, aber bei allen Kunden schon.',
        'support: Das wäre dann der erste Anruf am Montagmorgen, ich seh es schon vor mir.',
        'dev: Wir können {feature.fix}. Das sind zwei Tage Arbeit, und ich hätte es lieber vorher drin.',
        'lead: Dann mach das bitte zuerst. Alles andere kann warten.',
      ],
    },
    {
      name: 'Einführung',
      lines: [
        'research: Ich würde wieder in Stufen gehen: nächste Woche am {start} zehn Prozent, und am {done} alle, wenn die Fehlerquote unter {limit} bleibt.',
        'lead: Einverstanden. Wer schaut auf die Zahlen?',
        'research: Ich, jeden Morgen um neun. Wenn es mehr wird, halten wir an, ohne große Diskussion.',
        'support: Ich brauche noch einen Hilfetext, sonst erklären wir dasselbe hundertmal. Den schreibe ich selbst, aber jemand muss drüberschauen.',
        'dev: Schick ihn mir morgen, dann hast du ihn abends zurück.',
        'lead: Gut, dann geht es am {start} los. Ich sag heute noch dem Vertrieb Bescheid.',
      ],
    },
  ],
  summary: [
    '**„{feature}“ geht nächste Woche am {start} an zehn Prozent der Kunden und am {done} an alle**, sofern die Fehlerquote unter {limit} bleibt.',
    'Im Betatest wollen {beta.kept} von {beta.users} Betrieben die Funktion behalten ({beta.share}). Von {beta.reports} Meldungen betrafen {beta.same} denselben Fehler; er ist seit Freitag behoben.',
    'Offen war noch die Geschwindigkeit. Vor dem Start will {dev} deshalb {feature.fix}.',
  ],
  decisions: [
    'Einführung nächste Woche in zwei Stufen: zehn Prozent am {start}, alle am {done}',
    'Bei einer Fehlerquote über der Grenze ({limit}) wird angehalten',
    'Vor dem Start noch zu erledigen: {feature.fix}',
  ],
  tasks: [
    { text: 'Vor dem Start {feature.fix}', owner: 'dev', due: 'start', chapter: 1 },
    { text: 'Jeden Morgen um neun die Fehlerquote prüfen', owner: 'research', due: 'start', chapter: 2 },
    { text: 'Hilfetext schreiben und zum Gegenlesen schicken', owner: 'support', due: 1, chapter: 2 },
    { text: 'Den Vertrieb informieren', owner: 'lead', due: 0, chapter: 2 },
  ],
};
