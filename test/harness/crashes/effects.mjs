import { openLedger } from '../../../recipes/dist/engine/store/open-stores.js';
import { createFindings } from '../report.mjs';

/** Destinations that can be searched must have each effect once. A mail server can't be searched. */
const traceable = ['slack', 'reply', 'notion'];

/**
 * Compares what arrived with what had to, and with what the ledger says. `violations` are sentences that name
 * the meetings; `notes` what a person should know but is as it should be.
 */
export function checkEffects({ effects, arrived, ledger }) {
  const figures = {
    effects: effects.length,
    arrived: 0,
    missing: 0,
    doubled: 0,
    resentMails: 0,
    unexpected: 0,
    longestS: 0,
  };
  const findings = createFindings();
  const notes = createFindings();
  const { rows } = ledger ?? {};
  const tell = (effect) => describeEffect(effect, rows);

  for (const destination of Object.keys(arrived)) {
    const wanted = effects.filter((effect) => effect.destination === destination);
    const byMeeting = new Map();
    for (const copy of arrived[destination])
      byMeeting.set(copy.meeting, [...(byMeeting.get(copy.meeting) ?? []), copy]);
    for (const effect of wanted) {
      const copies = byMeeting.get(effect.meeting.number) ?? [];
      byMeeting.delete(effect.meeting.number);
      if (copies.length === 0) {
        figures.missing += 1;
        findings.add(`never arrived at ${destination}`, tell(effect));
        continue;
      }
      figures.arrived += 1;
      if (destination === 'slack') figures.longestS = Math.max(figures.longestS, timeWayS(effect, copies[0]));
      const ids = new Set(copies.map(({ key }) => key));
      if (copies.length > 1 && (traceable.includes(destination) || ids.size > 1)) {
        figures.doubled += copies.length - 1;
        // Slack's references hold the time of each copy.
        const references = copies.map(({ reference }) => reference).join(', ');
        findings.add(`more than once at ${destination}`, `${references}: ${tell(effect)}`);
      } else figures.resentMails += copies.length - 1;
      const strange = copies.find(({ key, target }) => key !== effect.key || target !== effect.target);
      if (strange !== undefined) {
        findings.add(`under a wrong key or at a wrong place at ${destination}`, tell(effect));
      }
      checkReference(effect, copies, rows, findings);
    }
    for (const [meeting, copies] of byMeeting) {
      figures.unexpected += copies.length;
      findings.add(`unexpected at ${destination}`, `meeting ${meeting}`);
    }
  }
  if (ledger !== undefined) Object.assign(figures, checkRows(effects, ledger, { findings, notes }));
  return { figures, notes: notes.list(), violations: findings.list() };
}

/** From the event to the message, whose reference ends with its time in seconds. */
function timeWayS({ meeting }, { reference }) {
  return Number(reference.slice(reference.indexOf('/') + 1)) - Date.parse(meeting.occurrence) / 1000;
}

/** What the ledger calls sent must be there. */
function checkReference(effect, copies, rows, findings) {
  const row = rows?.get(effect.key);
  if (row?.state !== 'sent' || row.reference === undefined) return;
  if (!copies.some(({ reference }) => reference === row.reference)) {
    findings.add(
      `the ledger's reference is none that ${effect.destination} has`,
      describeEffect(effect, rows),
    );
  }
}

function checkRows(effects, { rows, total }, { findings, notes }) {
  const figures = { sent: 0, parkedMails: 0, failed: 0, unsettled: 0, tries: 0, retried: 0, probes: 0 };
  for (const effect of effects) {
    const row = rows.get(effect.key);
    figures.tries += row?.attempts ?? 0;
    if ((row?.attempts ?? 0) > 1) figures.retried += 1;
    figures.probes += row?.probes ?? 0;
    if (row?.state === 'sent') figures.sent += 1;
    // Right for a mail: a mail server can't be asked, and a third copy would be too many. Whether it arrived is checked above.
    else if (row?.state === 'parked' && effect.destination === 'email') {
      figures.parkedMails += 1;
      notes.add('left to a person, who may have it already', describeEffect(effect, rows));
    } else if (row?.state === 'failed' || row?.state === 'parked' || row?.state === 'skipped') {
      figures.failed += 1;
      findings.add(`given up (${row.state})`, describeEffect(effect, rows));
    } else {
      figures.unsettled += 1;
      findings.add(`not settled in the ledger (${row?.state ?? 'no row'})`, describeEffect(effect, rows));
    }
  }
  if (total !== effects.length) {
    findings.add('unexpected number of ledger rows', `${total} of ${effects.length}`);
  }
  return figures;
}

/** A meeting's effect with its row. */
function describeEffect({ meeting, destination, key }, rows) {
  const row = rows?.get(key);
  const { state, attempts, probes, reference, cause } = row ?? {};
  const known = row === undefined ? '' : ` ${JSON.stringify({ state, attempts, probes, reference, cause })}`;
  return `${meeting.id} ${destination} ${key.slice(0, 12)}${known}`;
}

const AT_ONCE = 50;

/** What the ledger knows of each effect, by its key, and how many effects it knows at all. */
export async function readRows(backend, effects) {
  const ledger = await openLedger(backend);
  try {
    const rows = new Map();
    for (let from = 0; from < effects.length; from += AT_ONCE) {
      await Promise.all(
        effects
          .slice(from, from + AT_ONCE)
          .map(async ({ key }) => rows.set(key, await ledger.read(key, Date.now()))),
      );
    }
    const counts = await ledger.counts();
    return { rows, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  } finally {
    await ledger.close();
  }
}
