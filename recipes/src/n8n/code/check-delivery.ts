/**
 * JavaScript of the node "Check the delivery": compares the signature without telling by its time where it differs,
 * refuses what is too old or too new, and reads the event from the very text that was signed.
 */
export const checkDeliveryCode = String.raw`
const given = $input.first().json;
const prefix = String(given.header_prefix).toLowerCase();
const headers = given.headers || {};
const signature = String(headers[prefix + '-signature'] || '');
const timestamp = String(headers[prefix + '-timestamp'] || '');
const expected = 'sha256=' + given.expected;

function isSame(left, right) {
  let difference = left.length ^ right.length;
  for (let at = 0; at < right.length; at += 1) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

function refuse(why) {
  return [{ json: { accepted: false, why } }];
}

if (!isSame(signature, expected)) return refuse('the signature is wrong or missing');
if (!/^\d{1,12}$/.test(timestamp)) return refuse('the timestamp is missing');
if (Math.abs(Date.now() / 1000 - Number(timestamp)) > Number(given.tolerance_seconds)) {
  return refuse('the timestamp is too far from now: check the clock of this server');
}

let event;
try {
  event = JSON.parse(given.raw);
} catch {
  return refuse('the body is no JSON');
}
const data = event && typeof event.data === 'object' && event.data !== null ? event.data : {};
const meetingId = String((event && event.meeting_id) || '');
if (meetingId === '') return refuse('the body names no meeting');
const kind = String(event.event || headers[prefix + '-event'] || '');
const occurrence = String(event.timestamp || '');
return [
  {
    json: {
      accepted: true,
      event: kind,
      meeting_id: meetingId,
      occurrence,
      title: String(data.title || ''),
      reason: String(data.reason || ''),
      is_transcript_empty: data.is_transcript_empty === true,
      key: [kind, meetingId, occurrence].join('|'),
    },
  },
];
`;
