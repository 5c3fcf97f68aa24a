/**
 * Reads an event stream as its text comes: gives the data of each event that is complete (HTML standard, "Server-sent
 * events"). Names, ids and comments are left out: all that MCP says is in the data.
 */
export function createEventReader(): (text: string) => readonly string[] {
  /** Of a line that is not over, in pieces: a long one must not be put together again with each. */
  let line: string[] = [];
  let data: string[] = [];
  /** A line may end with CR alone: the LF that may still follow is no line of its own. */
  let endedWithReturn = false;

  const takeLine = (whole: string): readonly string[] => {
    if (whole === '') {
      const event = data.length === 0 ? [] : [data.join('\n')];
      data = [];
      return event;
    }
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(whole) ?? [];
    if (name === 'data') data.push(value);
    return [];
  };

  return (text) => {
    const lines = (endedWithReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    if (text !== '') endedWithReturn = text.endsWith('\r');
    const last = lines.pop() ?? '';
    const events = lines.flatMap((end) => {
      const whole = line.join('') + end;
      line = [];
      return takeLine(whole);
    });
    line.push(last);
    return events;
  };
}
