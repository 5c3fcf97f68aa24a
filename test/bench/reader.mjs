// How long a report takes from its text to its normalised form: JSON.parse and readReport together.
import { readReport } from '../../packages/client/dist/index.js';
import { judge, median, round } from './figures.mjs';

const segments = 6000;
const times = 15;
const targetMs = 50;

/** The observed shape: chapters with their parts of the transcript, speakers by name, `MM:SS`. */
function writeReport() {
  const perChapter = 300;
  const chapters = Array.from({ length: segments / perChapter }, (_, chapter) => ({
    name: `Chapter ${chapter + 1}`,
    startSeconds: chapter * perChapter,
    endSeconds: (chapter + 1) * perChapter,
    transcript: Array.from({ length: perChapter }, (_unused, index) => {
      const second = chapter * perChapter + index;
      const minutes = String(Math.floor(second / 60)).padStart(2, '0');
      return {
        speaker: { speaker: `Speaker ${index % 5}` },
        text: `Segment ${second} says about as much as people say before somebody else begins to speak, no more.`,
        timestamp: `${minutes}:${String(second % 60).padStart(2, '0')}`,
      };
    }),
  }));
  const templates = [{ id: 't1', name: 'default-meeting', entities: [{ name: 'summary', text: 'Short.' }] }];
  return JSON.stringify({
    followup_v2: {
      name: 'Long call',
      date: '2026-07-07T12:00:00Z',
      duration: segments,
      status: 'processed',
      chapters,
      templates,
    },
  });
}

export async function reader() {
  const text = writeReport();
  const samples = [];
  for (let time = 0; time < times; time += 1) {
    const startedMs = performance.now();
    const report = readReport('m_1', JSON.parse(text));
    samples.push(performance.now() - startedMs);
    if (report.transcript.length !== segments) {
      throw new Error(`the report has ${report.transcript.length} segments instead of ${segments}`);
    }
  }
  const figures = { firstMs: round(samples[0], 1), medianMs: round(median(samples), 1), targetMs };
  const target = { most: targetMs, unit: ' ms' };
  return {
    figures,
    lines: [
      `reading a report of ${segments} segments (${Math.round(text.length / 1024)} KiB), ${times} times, Node ${process.versions.node}`,
      judge('the first, cold', figures.firstMs, target),
      judge('median', figures.medianMs, target),
    ],
  };
}
