import { groupBy } from './group-by.mjs';

/** Whoever can be asked whether it has something must have it once. A mail server can't be asked. */
const traceable = ['slack', 'reply', 'notion'];

/**
 * Compares what arrived with what had to, and with what the ledger says. `violations` are sentences that name
 * the meetings; `notes` what a person should know but is as it should be.
 */
export function judgeEffects({ effects, arrived, ledger }) {
  const figures = { effects: effects.length, arrived: 0, missing: 0, doubled: 0, resentMails: 0, foreign: 0 };
  const findings = createFindings();
  const { rows } = ledger ?? {};
  const tell = (effect) => describeEffect(effect, rows);

  for (const destination of Object.keys(arrived)) {
    const wanted = effects.filter((effect) => effect.destination === destination);
    const byMeeting = groupBy(arrived[destination], ({ meeting }) => meeting);
    for (const effect of wanted) {
      const copies = byMeeting.get(effect.meeting.number) ?? [];
      byMeeting.delete(effect.meeting.number);
      if (copies.length === 0) {
        figures.missing += 1;
        findings.violation(`never arrived at ${destination}`, tell(effect));
        continue;
      }
      figures.arrived += 1;
      const ids = new Set(copies.map(({ key }) => key));
      if (copies.length > 1 && (traceable.includes(destination) || ids.size > 1)) {
        figures.doubled += copies.length - 1;
        findings.violation(`more than once at ${destination}`, `${copies.length} × ${tell(effect)}`);
      } else figures.resentMails += copies.length - 1;
      const strange = copies.find(({ key, target }) => key !== effect.key || target !== effect.target);
      if (strange !== undefined) {
        findings.violation(`under a wrong key or at a wrong place at ${destination}`, tell(effect));
      }
      judgeReference(effect, copies, rows, findings);
    }
    for (const [meeting, copies] of byMeeting) {
      figures.foreign += copies.length;
      findings.violation(`nobody sent this to ${destination}`, `meeting ${meeting}`);
    }
  }
  if (ledger !== undefined) Object.assign(figures, judgeRows(effects, ledger, findings));
  return { figures, ...findings.finish() };
}

/** What the ledger calls sent must be there. */
function judgeReference(effect, copies, rows, findings) {
  const row = rows?.get(effect.key);
  if (row?.state !== 'sent' || row.reference === undefined) return;
  if (!copies.some(({ reference }) => reference === row.reference)) {
    findings.violation(
      `the ledger's reference is none that ${effect.destination} has`,
      describeEffect(effect, rows),
    );
  }
}

function judgeRows(effects, { rows, total }, findings) {
  const figures = { sent: 0, parkedMails: 0, failed: 0, unsettled: 0, tries: 0, retried: 0, probes: 0 };
  for (const effect of effects) {
    const row = rows.get(effect.key);
    figures.tries += row?.attempts ?? 0;
    if ((row?.attempts ?? 0) > 1) figures.retried += 1;
    figures.probes += row?.probes ?? 0;
    if (row?.state === 'sent') figures.sent += 1;
    // Right for a mail: nobody can be asked, and a third one would be too many. Whether it arrived is judged above.
    else if (row?.state === 'parked' && effect.destination === 'email') {
      figures.parkedMails += 1;
      findings.note('left to a person, who may have it already', describeEffect(effect, rows));
    } else if (row?.state === 'failed' || row?.state === 'parked' || row?.state === 'skipped') {
      figures.failed += 1;
      findings.violation(`given up (${row.state})`, describeEffect(effect, rows));
    } else {
      figures.unsettled += 1;
      findings.violation(
        `not settled in the ledger (${row?.state ?? 'no row'})`,
        describeEffect(effect, rows),
      );
    }
  }
  if (total !== effects.length) {
    findings.violation(
      'rows of the ledger that nobody asked for, or too few',
      `${total} of ${effects.length}`,
    );
  }
  return figures;
}

/** A meeting's effect with its row, for whoever looks into it. */
function describeEffect({ meeting, destination, key }, rows) {
  const row = rows?.get(key);
  const { state, attempts, probes, reference, cause } = row ?? {};
  const known = row === undefined ? '' : ` ${JSON.stringify({ state, attempts, probes, reference, cause })}`;
  return `${meeting.id} ${destination} ${key.slice(0, 12)}${known}`;
}

function createFindings() {
  const lists = { violations: new Map(), notes: new Map() };
  const add = (list, sentence, what) => list.set(sentence, [...(list.get(sentence) ?? []), what]);
  return {
    violation: (sentence, what) => add(lists.violations, sentence, what),
    note: (sentence, what) => add(lists.notes, sentence, what),
    finish: () => ({ violations: writeAll(lists.violations), notes: writeAll(lists.notes) }),
  };
}

const SHOWN = 5;

function writeAll(list) {
  return [...list].map(([sentence, all]) => {
    const more = all.length > SHOWN ? `\n    and ${all.length - SHOWN} more` : '';
    const shown = all.slice(0, SHOWN).map((what) => `\n    ${what}`);
    return `${sentence}: ${all.length}${shown.join('')}${more}`;
  });
}
