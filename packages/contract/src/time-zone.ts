/** Whether the runtime's own time-zone data knows the IANA name. Offsets such as `+03:00` are no names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl has no other way to say that it does not know a zone.
    return false;
  }
}
