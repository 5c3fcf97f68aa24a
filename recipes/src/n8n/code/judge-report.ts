/**
 * JavaScript function that says why a report is not for the recipe, given the conditions that only the report can tell
 * (`reportConditions`). Words are compared as the recipes do it: `routing/report-conditions.ts`.
 */
export const judgeReportCode = String.raw`
function foldName(text) {
  return text.normalize('NFKC').trim().toLowerCase();
}

function foldDomain(text) {
  return text.slice(text.lastIndexOf('@') + 1).trim().toLowerCase();
}

function foldTemplate(text) {
  return text.slice(0, 200).normalize('NFKC').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).join('-');
}

function holds(report, { is, wanted }) {
  const haveOneOf = (found, fold) => found.some((one) => one !== '' && wanted.map(fold).includes(fold(one)));
  switch (is) {
    case 'title': return new RegExp(wanted, 'isu').test(report.title);
    case 'isTranscriptEmpty': return report.isTranscriptEmpty === wanted;
    case 'tag': return haveOneOf(report.tags, foldName);
    case 'source': return haveOneOf([report.source], foldName);
    case 'template': return haveOneOf(report.templates, foldTemplate);
    case 'participantDomain': return haveOneOf(report.attendees.map(({ email }) => email), foldDomain);
    case 'atLeastSeconds': return report.durationSeconds !== undefined && report.durationSeconds >= wanted;
    case 'atMostSeconds': return report.durationSeconds !== undefined && report.durationSeconds <= wanted;
  }
  return false;
}

function explainMismatch(report, conditions) {
  const broken = conditions.find((condition) => !holds(report, condition));
  return broken === undefined ? '' : broken.otherwise;
}
`;
