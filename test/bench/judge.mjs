/** What stands behind a figure that has a target. */
export function judge(isMet, target) {
  return `   target ${target}: ${isMet ? 'met' : 'MISSED'}`;
}
